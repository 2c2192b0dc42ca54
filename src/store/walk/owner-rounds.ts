/**
 * Runs an owner search in up to two rounds, for both stores. The first is exact. If more hits are
 * wanted and fuzzy search is on, the fuzzy words are replaced by all recorded words within one
 * edit. The second round leaves out known hits.
 */
import type { OwnerQuestion, OwnerTrace } from '../../base/model/owner.ts'
import { deletions, withinOneEdit } from '../../base/word-edits.ts'
import type { OwnerHit, OwnerSearch } from '../store.ts'

export type OwnerRounds = {
  /**
   * At most `want` matching ids, ascending, without known ones. `complete`: false at the deadline.
   */
  collect(
    question: OwnerQuestion,
    want: number,
    known: ReadonlySet<number>,
  ): Promise<{ ids: number[]; complete: boolean }>
  /** Recorded words that are one of these forms, or become one without a letter; may repeat. */
  wordsWith(forms: string[]): string[] | Promise<string[]>
}

/** Returns matching parcels, exact ones first, each group by id: `limit` after `skip`. */
export async function askInRounds(
  { question, skip, limit, trace }: Pick<OwnerSearch, 'question' | 'skip' | 'limit' | 'trace'>,
  { collect, wordsWith }: OwnerRounds,
): Promise<{ hits: OwnerHit[]; complete: boolean }> {
  const want = skip + limit
  const exact = await collect(question, want, new Set())
  trace?.rounds.push({ fuzzy: false, found: exact.ids.length })
  const hits = exact.ids.map((id) => ({ id, fuzzy: false }))
  if (!exact.complete || hits.length >= want || !isFuzzy(question)) {
    return { hits: hits.slice(skip), complete: exact.complete }
  }
  const wide = await widen(question, wordsWith, trace)
  const fuzzy = await collect(wide, want - hits.length, new Set(exact.ids))
  trace?.rounds.push({ fuzzy: true, found: fuzzy.ids.length })
  hits.push(...fuzzy.ids.map((id) => ({ id, fuzzy: true })))
  return { hits: hits.slice(skip), complete: fuzzy.complete }
}

function isFuzzy({ lastName, contains = [] }: OwnerQuestion): boolean {
  return (
    lastName?.fuzzyWord !== undefined || contains.some(({ fuzzyWord }) => fuzzyWord !== undefined)
  )
}

/** Replaces fuzzy words by all recorded words within one edit, themselves included. */
async function widen(
  { lastName, contains }: OwnerQuestion,
  wordsWith: OwnerRounds['wordsWith'],
  trace: OwnerTrace | undefined,
): Promise<OwnerQuestion> {
  const wide: OwnerQuestion = {}
  if (lastName !== undefined) {
    const near = await wordsNear(lastName.fuzzyWord, wordsWith, trace)
    const organizations = near.map((head) => ({ head, restStart: '' }))
    wide.lastName = {
      ...lastName,
      personHeads: [...new Set([...lastName.personHeads, ...near])],
      organizationHeads: [...lastName.organizationHeads, ...organizations],
    }
  }
  if (contains !== undefined) {
    wide.contains = await Promise.all(
      contains.map(async ({ forms, fuzzyWord }) => ({
        forms: [...new Set([...forms, ...(await wordsNear(fuzzyWord, wordsWith, trace))])],
      })),
    )
  }
  return wide
}

async function wordsNear(
  asked: string | undefined,
  wordsWith: OwnerRounds['wordsWith'],
  trace: OwnerTrace | undefined,
): Promise<string[]> {
  if (asked === undefined) return []
  const words = new Set(await wordsWith(deletions(asked)))
  const near = [...words].filter((word) => word !== asked && withinOneEdit(asked, word))
  // Indexes list them in different orders.
  trace?.near.push(...near.toSorted())
  return near
}
