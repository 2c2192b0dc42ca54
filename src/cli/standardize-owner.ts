/** The canonical form of recorded names, for `standardize owner`, one per line. */
import type { NameOrder, Person } from '../base/model/owner.ts'
import { readOwners } from '../owner/canonical.ts'
import { learnNames } from '../owner/evidence.ts'

type StandardizedOwner = {
  input: string
  persons: Person[]
  organization: string | null
  roles: string[]
  words: string[]
}

/**
 * Reads each line as one recorded slot. In `mixed` order the engine first learns from all lines, as
 * from a roll.
 */
export function standardizeOwner(lines: string[], order: NameOrder): StandardizedOwner[] {
  const learner = learnNames()
  if (order === 'mixed') for (const line of lines) learner.add(line, null)
  const evidence = order === 'mixed' ? learner.finish() : undefined
  return lines.map((input) => {
    const slot = readOwners([input, null], order, evidence).slots[0]
    return {
      input,
      persons: slot?.persons ?? [],
      organization: slot?.organization ?? null,
      roles: slot?.roles ?? [],
      words: slot?.words ?? [],
    }
  })
}
