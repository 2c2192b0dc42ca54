/** Separates a care-of (`%`, `C/O`, `ATTN`) from an owner's name. docs/matching.md, rule 9. */
import { SLOT_MAX } from '../words.ts'

/** A slot's text in two parts. */
type CareOf = {
  /** The owner's name; the empty string if the whole slot is a care-of. */
  name: string
  /** The text after the mark, which may be empty; `null` if the slot has no care-of. */
  careOf: string | null
}

/**
 * Cuts a slot's text at its first care-of mark. The sign in `50%` is a share, not a mark. Never
 * throws.
 */
export function cutCareOf(recorded: string): CareOf {
  if (!HINT.test(recorded)) return { name: recorded, careOf: null }
  const text = recorded.slice(0, SLOT_MAX).replace(/\s+/g, ' ')
  const found = MARK.exec(text)
  if (found === null) return { name: text, careOf: null }
  const careOf = text
    .slice(found.index + found[0].length)
    .replace(MORE_MARKS, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[\s:;,.\-)]+|[\s:;,(]+$/g, '')
    .replace(/^([^(]*)\)$/, '$1')
  const name = text.slice(0, found.index).replace(/[\s:;,(-]+$/, '')
  return { name, careOf: careOf.toUpperCase() }
}

const HINT = /%|att|c\s?[/\\](?:\s?[o0-]|$)|care|c-o\s|co:|\sto\s/i
/** A mark at the start or after a blank. `%` after a number or before INT denotes a share. */
const MARK = new RegExp(
  [
    '(?:^|[\\s,;(.])(?:%(?!\\s*(?:INT(?:EREST)?|OF|UND|OWN|EACH|SHARE)\\b)(?<!\\d\\s%)',
    'C\\s?[/\\\\]\\s?[O0](?![A-Z0-9/])[:.]?',
    'C[/\\\\](?:-(?=\\s)|$)',
    'ATTN(?![A-Z0-9])[:.]?',
    'ATT[:.](?=\\s)',
    'CO:|C-O(?=\\s)|I/C/O(?=\\s)',
    // `MAIL TAX BILLS TO ANNA TRENT`
    '(?:(?<![^])(?:SEND|MAIL)|(?:(?:SEND|MAIL)\\s)?TAX(?:ES|\\s(?:BILL|STATEMENT)S?)?)\\sTO(?=\\s)',
    // `PAY ATTENTION LLC`: a part of a company's name.
    '(?<!\\b(?:FOR|OF)\\s)ATTENTION(?![A-Z0-9])(?!\\s+(?:DEFICIT|DISORDER|SPAN|LLC|INC)\\b)[:.]?',
    '(?:IN\\s+)?CARE\\s+OF(?![A-Z]))',
  ].join('|'),
  'i',
)
const MORE_MARKS = /(?:^|\s)(?:%|C[/\\]O|ATTN:?)(?=\s)/gi
