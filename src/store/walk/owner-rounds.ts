/**
 * An owner question in two rounds, for either store: first exactly; only when that leaves room, and
 * the caller wants it, the fuzzy words are replaced by all recorded words within one edit, and it
 * is asked again without what is known already.
 */
import type { OwnerQuestion, OwnerTrace } from '../../model/owner.ts'
import { deletions, withinOneEdit } from '../../word-edits.ts'
import type { OwnerHit } from '../store.ts'

export type OwnerRounds = {
  /**
   * At most `want` ids that meet the question, ascending, without the known ones; `complete` is
   * false when the time was up first.
   */
  collect(
    question: OwnerQuestion,
    want: number,
    known: ReadonlySet<number>,
  ): Promise<{ ids: number[]; complete: boolean }>
  /**
   * Recorded words of which one of these forms is left when at most one letter is left out; some
   * may come twice.
   */
  wordsWith(forms: string[]): string[] | Promise<string[]>
}

/**
 * Parcels that meet the question, exact ones first, each group by ascending id: at most `limit`
 * after `skip`. `trace` notes the rounds.
 */
export async function askInRounds(
  question: OwnerQuestion,
  skip: number,
  limit: number,
  { collect, wordsWith }: OwnerRounds,
  trace?: OwnerTrace,
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

/**
 * The question with every fuzzy word replaced by all recorded words within one edit of it, itself
 * among them.
 */
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
  trace?.near.push(...near)
  return near
}
