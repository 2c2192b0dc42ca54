/** Cells of tables that a spreadsheet would run as a formula. */

/** Also in the wide letters of East Asia, which spreadsheets take as the narrow ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]./s
const NUMBER = /^[+-]?(?:\d[\d.,]*|\.\d+)(?:e[+-]?\d+)?\s?%?$/i

/** Marks a text that is no number as text for spreadsheets, by an apostrophe. */
export function guardFormula(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
}
