/** Splits a recorded owner name into words. All other files here work on folded words. */
import { LETTERS } from './dictionaries/names.ts'
import { SHORT_FORMS } from './dictionaries/organization-words.ts'

/** Maximum characters read of a part of a slot. The widest owner field in the layouts has 200. */
export const TEXT_MAX = 400
/** Maximum characters read of a slot. A longer one than `TEXT_MAX` is read in parts, at `; `. */
export const SLOT_MAX = 10 * TEXT_MAX
export const WORD_MAX = 64
/** Maximum words read of a part. */
export const WORDS_MAX = 80

/**
 * A word of A–Z and 0–9, or one of the separators `& , / ; ( )`.
 *
 * A word may contain hyphens (`SMITH-JONES`), dots between initials (`J.R`), the slash of a
 * fraction (`1/2`), and a closing `%`.
 */
export type Word = string

export const SEPARATORS: ReadonlySet<Word> = new Set(['&', ',', '/', ';', '(', ')'])

/**
 * Splits text into words.
 *
 * Removes case, accents, apostrophes and dots. `+` and `AND` become `&`, quotes become parentheses.
 * Reads at most 400 characters, or parts of so many around `; `, in time linear in the text. Never
 * throws.
 *
 * @example readWords("O'Brien-Smith, J.R. + Mary") // ['OBRIEN-SMITH', ',', 'J.R', '&', 'MARY']
 */
export function readWords(text: string): Word[] {
  return text.length > TEXT_MAX ? readLong(text.slice(0, SLOT_MAX)) : readPart(text)
}

function readLong(text: string): Word[] {
  const near = text.lastIndexOf('; ', TEXT_MAX / 2)
  const end = near > 0 ? near : text.lastIndexOf('; ', TEXT_MAX)
  if (end < 1 || text.length < TEXT_MAX / 2) return readPart(text)
  return [...readPart(text.slice(0, end)), ';', ...readLong(text.slice(end + 2))]
}

function readPart(text: string): Word[] {
  const folded = foldName(text)
  const plain = SIMPLE.test(folded) && !PERCENTS.test(folded) ? folded : simplify(folded)
  const words: Word[] = []
  for (const word of plain.match(WORD) ?? []) {
    if (word === 'AND') words.push('&')
    else if (word.length <= WORD_MAX) words.push(word)
    if (words.length === WORDS_MAX) break
  }
  return words
}

/** Converts to upper case without accents and special Latin letters; cuts at 400 characters. */
function foldName(text: string): string {
  const cut = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text
  if (PRINTABLE.test(cut)) return cut.toUpperCase()
  return cut
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʼʻ`´′]/g, "'")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/⁄/g, '/')
    .toUpperCase()
    .replace(/[ØŁĐÐÞÆŒẞ]/g, (letter) => LETTERS.get(letter) ?? letter)
}

/** Splits words at those that are separators. A run may be empty. */
export function splitAt(words: readonly Word[], isSeparator: (word: Word) => boolean): Word[][] {
  const runs: Word[][] = [[]]
  for (const word of words) {
    if (isSeparator(word)) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return runs
}

export const isSeparator = (word: Word) => SEPARATORS.has(word)
export const isComma = (word: Word) => word === ','

/** Returns the form of a word that searches compare: `INCORPORATED` is `INC`, `SAINT` is `ST`. */
export function canonicalWord(word: string): string {
  return SHORT_FORMS.get(word) ?? word
}

/** Returns the letters and digits of a word, without inner hyphens, dots and slashes. */
export function joinWord(word: Word): string {
  return INNER.test(word) ? word.replace(/[^A-Z0-9]/g, '') : word
}

const PRINTABLE = /^[\x20-\x7e]*$/
const SIMPLE = /^[A-Z0-9 ,&]*$/
const RARE = /[+[\]{}<>|]/
const PERCENTS = /PERCENT|\d ?PCT/
const SHARED = /\d ?(?:%|PERCENT|PCT)|\.\d/
const INNER = /[-./%]/
const WORD = /[A-Z0-9]+(?:[-./][A-Z0-9]+)*%?|[&,/;()]/g

/** Reduces punctuation to the signs that `WORD` matches. */
function simplify(text: string): string {
  let plain = text.replace(/\s+/g, ' ')
  if (RARE.test(plain)) {
    plain = plain
      .replace(/(?<=[A-Z])(?: ET ?AL)? ?[+] ?\d{1,2}$/, ' ETAL')
      .replace(/[+]/g, '&')
      .replace(/[[{<]/g, '(')
      .replace(/[\]}>]/g, ')')
      .replace(/[|]/g, ' / ')
  }
  if (plain.includes('&')) plain = plain.replace(/&AMP;/g, '&').replace(/&(?:#0?39|APOS);/g, "'")
  if (plain.includes('``')) plain = plain.replace(/``([^`']{1,30})''/g, '"$1"')
  if (plain.includes('(')) {
    plain = plain
      .replace(/\b401 ?\(K\)/, '401K')
      .replace(/(\bET ?-?ALS?|\bOTHERS) ?\(\d{1,3}\)/, '$1')
    // `OWNER(S) UNKNOWN`, but `HARLOW PAUL(S)`: single.
    plain = plain.replace(/(?<=\b(?:HEIR|NAME|OWNER|PARTNER|PERSON|TENANT|TRUSTEE))\(S\)/g, 'S')
  }
  // `**CONF**` is a mark. A lone star marks a name.
  if (plain.includes('**')) plain = plain.replace(/\*{2,} ?([^*]{1,30}?) ?\*{2,}/g, '($1)')
  if (plain.includes('*')) plain = plain.replace(/(?<!\w)\*+(?=\w)([^*]{1,30})\*+(?!\w)/g, '($1)')
  if (plain.includes('"')) plain = readQuotes(plain)
  if (plain.includes("'")) plain = readApostrophes(plain)
  if (SHARED.test(plain)) plain = readShares(plain)
  if (plain.includes('/') || plain.includes('\\')) plain = readSlashes(plain)
  if (plain.includes('.')) plain = readDots(plain)
  if (plain.includes('-')) plain = readHyphens(plain.replace(/\b(ET ?ALS?) ?-\d{1,2}\b/, '$1'))
  return plain
}

/** Converts quotes of nicknames (`JOHN "JACK" DOE`) to parentheses; drops those of a whole text. */
function readQuotes(text: string): string {
  const whole = /^\s*"([^"]*)"\s*$/.exec(text)
  if (whole !== null) return whole[1] ?? ''
  return text.replace(/"([^"]{1,30})"/g, ' ($1) ').replace(/"/g, ' ')
}

/** Reads `'JACK'` as a nickname. Removes other apostrophes: `O' BRIEN` is one word. */
function readApostrophes(text: string): string {
  return text
    .replace(/(^|[\s,])'([A-Z0-9]{2,20}(?: [A-Z0-9]{1,12}){0,2})'(?=$|[\s,])/g, '$1($2)')
    .replace(/\b([OD])' +(?=[A-Z])/g, '$1')
    .replace(/'+/g, '')
}

/** Joins shares into one word each: `50 PERCENT`, `50 %`, `33 1/3 %`. `.5` becomes `0.5`. */
function readShares(text: string): string {
  return text
    .replace(/(\d) ?(?:(?:PERCENT|PCT)\b|%)/g, '$1%')
    .replace(/\b\d{1,2}[ -](\d\/\d)%/g, '$1')
    .replace(/(^|[^A-Z0-9])(\.\d)/g, (_, before: string, part: string) => `${before}0${part}`)
}

/** Keeps `H/W` and `1/2` as a word, reads `W/ MARY` as "with". Other slashes separate words. */
function readSlashes(text: string): string {
  return (
    text
      .replace(/\\/g, '/')
      .replace(/(?<![A-Z0-9])W ?\/ ?L ?\/? ?E(?![A-Z0-9])/g, 'LE')
      .replace(/(?<![A-Z0-9/])([LM]) ?\/ ?C(?![A-Z0-9/])/g, '$1-C')
      .replace(/(?<![A-Z0-9/])[A-Z](?: ?\/ ?[A-Z]){1,5}(?![A-Z0-9/])/g, (all) =>
        all.replace(/[^A-Z]/g, ''),
      )
      .replace(/\bOTR\/L\b/g, 'OTRL')
      // `UTMA/OH`: the state whose law holds.
      .replace(/\b(U[GT]MA) ?\/ ?[A-Z]{2}\b/g, '$1')
      .replace(/(?<=\d\/\d{1,3})(?=INT)/g, ' ')
      .replace(/^([^/]+ [^/]+?) ?\/ ?(?=TRS?(?![A-Z0-9]))/, '$1 ')
      .replace(/(?<![A-Z0-9])W ?\/ ?(?=R?OS(?![A-Z])|RS(?![A-Z]))/g, 'W')
      .replace(WITH_INITIAL, 'W \u0003 ')
      .replace(/(?<![A-Z0-9])W ?\/ ?(?=[A-Z]{2})/g, '& ')
      .replace(
        /(?<![A-Z0-9])(JT|CO)\s?\/\s?(TRS?|TTEES?|TRUSTEES?|TEN|RS|ROS)(?![A-Z0-9])/g,
        '$1 $2',
      )
      .replace(/(\d)\s?\/\s?(?=\d)/g, '$1\u0001')
      .replace(/\//g, ' / ')
      .replaceAll('\u0001', '/')
      .replaceAll('\u0003', '/')
  )
}

/** The initial of a person before a stroke: `HARLOW PAUL W/ANNA`. Before a role it is `with`. */
const WITH_INITIAL = new RegExp(
  '(?<=[A-Z] )W(?:/| / )(?=[A-Z]{3}|ET )' +
    '(?!LI?FE?|WIFE|HUSB|RIGHT|FULL|THE|SURV|JT|JOINT|TRUST|REMA|CONTR)',
  'g',
)

/** Keeps dotted initials (`L.L.C.` becomes `L.L.C`). Other dots become blanks. */
function readDots(text: string): string {
  return (
    text
      // `A.B.` is one word of initials, `A. B.` two.
      .replace(/(?<![A-Z0-9])(?:[A-Z]\.){1,6}[A-Z]?\.?(?![A-Z0-9'])/g, (all) =>
        all.replace(/\.+$/, ''),
      )
      .replace(/\bPH\. ?D\b/g, 'PHD')
      .replace(/\bR\.PH\b\.?/g, 'RPH ')
      .replace(/\b([BM])\.(ED|SC|DIV|PHIL)\b\.?/g, '$1$2 ')
      .replace(/\b(ED|PSY|PHARM|TH|LL|SC)\.([DMB])\b\.?/g, '$1$2 ')
      .replace(/\bD\.M\.D\b\.?/g, 'DMD ')
      .replace(/(\d)\.(\d)/g, '$1\u0002$2')
      .replace(/(?<![A-Z0-9]|[.][A-Z])\.|\.(?![A-Z0-9])|\.(?=[A-Z0-9]{2})|(?<=[A-Z0-9]{2})\./g, ' ')
      .replaceAll('\u0002', '.')
  )
}

/** Reads hyphens: one that touches a word joins it to its neighbour, a lone one becomes a blank. */
function readHyphens(text: string): string {
  return text
    .replace(CLOSING_HYPHEN, ' ')
    .replace(/(?<=[A-Z])-(?=\d{1,2}(?:\/\d|%))/g, ' ')
    .replace(/(?<=[A-Z]) *-(?=[A-Z])|(?<=[A-Z])- *(?=[A-Z])/g, '-')
    .replace(/-+/g, '-')
    .replace(/(?<![A-Z0-9])-|-(?![A-Z0-9])/g, ' ')
}

/** Words that a hyphen does not join to the one before: `PAUL A-TRUSTEE`, but `CO-TRUSTEE`. */
const CLOSING_WORDS =
  'JR|SR|II|III|IV|TRS?|TRUSTEES?|TTEES?|EST(?:ATE)?|ETAL|DECD|TOD|INT(?:EREST)?|SERIES|' +
  // `HARLOW PAUL R -LE`
  '(?<= -)(?:LE|JT|TC)|' +
  // `NEW-LIFE ESTATE HOLDINGS`
  'LIFE EST(?:ATE)?(?= *(?:$|[^A-Z0-9 ]|OF\\b))'
const CLOSING_HYPHEN = new RegExp(
  `(?<!\\bCO ?)-(?= ?(?:${CLOSING_WORDS})(?![A-Z0-9]|-[A-Z0-9]))`,
  'g',
)
