/**
 * Finds out whether a file writes surnames first: by commas, closing initials, and words known only
 * as given name or only as surname.
 */
import type { NameOrder } from '../../../base/model/owner.ts'
import { isKnownGiven, isKnownSurname } from '../../../owner/evidence.ts'

const OTHER = new RegExp(
  String.raw`\d|\b(?:LLC|INC|CORP|CO|LP|LTD|TRUST|TR|BANK|CHURCH|COUNTY|CITY|TOWN|STATE|OF` +
    String.raw`|ASSN|ASSOC|THE|PROPERTIES|REALTY|HOLDINGS|ESTATE|FAMILY|LIVING|REVOCABLE)\b`,
)

type OrderFinding = { value: NameOrder; certainty: number; why: string }

/** Fewest names that show an order; with fewer the order stays unknown. */
const NAMES_MIN = 12

/** Returns the order of most names without a comma, and its certainty. */
export function findNameOrder(names: readonly string[]): OrderFinding {
  let [lastFirst, firstLast, commas, strokes, persons] = [0, 0, 0, 0, 0]
  for (const name of names) {
    const text = name.toUpperCase().replace(/[.']/g, '')
    if (OTHER.test(text)) continue
    persons += 1
    if (/^[A-Z -]+, *[A-Z]/.test(text)) {
      commas += 1
      continue
    }
    // `ROE/JANE M`: one surname, with its particles, and a stroke.
    if (/^(?:(?:VAN|VON|DE[LNRS]?|LA|MC|ST|O) )*[A-Z-]+(?: JR| SR| I{2,3})?\/ *[A-Z]/.test(text)) {
      strokes += 1
      continue
    }
    const voice = voiceOf(text.split(/ *(?:&|\bAND\b|\+|\/|;) */)[0]?.split(' ') ?? [])
    if (voice > 0) lastFirst += 1
    if (voice < 0) firstLast += 1
  }
  const clear = lastFirst + firstLast
  const [marks, mark] = commas > strokes ? [commas, 'comma'] : [strokes, 'stroke']
  if (persons > 0 && marks > persons * 0.8) {
    const why = `${marks} of ${persons} persons have a ${mark} behind the surname`
    return { value: 'last-first', certainty: 0.9, why }
  }
  const share = Math.max(lastFirst, firstLast) / Math.max(1, clear)
  const counted = `of ${clear} names whose order is clear, ${lastFirst} have the surname first`
  if (clear < NAMES_MIN || share < 0.86) return { value: 'mixed', certainty: 0.8, why: counted }
  const value = lastFirst > firstLast ? 'last-first' : 'first-last'
  return { value, certainty: share, why: counted }
}

/** Above 0: surname first; below 0: given name first; 0: undecided. */
function voiceOf(words: string[]): number {
  const [a = '', b = '', c] = words
  if (a.length < 2 || words.length < 2 || words.length > 3) return 0
  if (c !== undefined && b.length === 1 && c.length > 1) {
    return isKnownGiven(a) || !isKnownGiven(c) ? -1 : 0
  }
  if (c?.length === 1 && b.length > 1) return isKnownGiven(b) || !isKnownGiven(a) ? 1 : 0
  const [first, second, last] = [isOnlyGiven(a), isOnlyGiven(b), isOnlyGiven(c ?? b)]
  if (first && !last) return -1
  return !first && (last || second) ? 1 : 0
}

const isOnlyGiven = (word: string) => isKnownGiven(word) && !isKnownSurname(word)
