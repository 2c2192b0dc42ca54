/** Patterns of words that show what a column contains; texts are upper-case. */
import { readTable } from '../../base/tables.ts'

const PATTERNS = readTable('content-words.txt').map((line) => line.split('\t'))
const wordsOf = (kind: string) => new RegExp(PATTERNS.find(([name]) => name === kind)?.[1] ?? '$^')

/** A street's name: letters, or a number with or without its ending. */
export const STREET_NAME =
  /^(?:[A-Z][A-Z'. -]*|\d{1,3}(?:ST|ND|RD|TH)?(?: .+)?|[A-Z0-9 .'-]*[A-Z]{3}[A-Z0-9 .'-]*)$/

/** Words for dwellings in descriptions of use, matched whole: `RES` does not match `RESTAURANT`. */
export const DWELLING = wordsOf('DWELLING')

/** Two letters with or without dots, or a name. */
export const STATE_FORM = /^(?:[A-Z]\.? ?[A-Z]\.?|[A-Z][A-Z ]{3,19})$/i

export const NO_DWELLING = wordsOf('NO_DWELLING')

/** Words of organizations, and of trusts and couples in legal form. */
export const ORGANIZED = wordsOf('ORGANIZED')

/** Words of legal descriptions, next to a number. */
export const LEGAL = wordsOf('LEGAL')

/** `ResImp` as `Res Imp`. */
export function partWords(text: string): string {
  return text.replace(/([a-z])(?=[A-Z])/g, '$1 ')
}
