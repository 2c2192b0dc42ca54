/**
 * Recognizes dates of few digits, which only the column's name distinguishes from other numbers.
 */
import type { DateForm } from '../../import/mapping/dates.ts'

/** Date formats of digits only, each with a pattern for its digits. */
const COMPACT: [DateForm, RegExp][] = [
  ['YYYYMM', /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/],
  ['MMYYYY', /^(?:0?[1-9]|1[0-2])(?:19|20)\d\d$/],
  ['YYMMDD', /^\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/],
  // Years would match this pattern too, but a column of years is recognized before.
  ['YYMM', /^\d?\d(?:0[1-9]|1[0-2])$/],
  ['MMDDYY', /^(?:0?[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d\d$/],
  ['days', /^(?:1\d|2\d|3\d|4[0-8])\d{3}$/],
]

/** Restores leading zeros that short dates lose when stored as numbers: `30411` is `030411`. */
export function readCompactDates(texts: string[]): {
  compactDate: number
  compactForm: DateForm | undefined
} {
  const found = COMPACT.map(([form, pattern]) => {
    const isYears =
      form === 'YYMM' && texts.filter((text) => /^(?:19|20)/.test(text)).length > texts.length * 0.6
    if (isYears) return { form, share: 0 }
    const fits = (text: string) =>
      pattern.test(form === 'YYMMDD' && text.length === 5 ? `0${text}` : text)
    return { form, share: texts.filter(fits).length / Math.max(1, texts.length) }
  }).sort((a, b) => b.share - a.share)
  const [best] = found
  return { compactDate: best?.share ?? 0, compactForm: best?.form }
}
