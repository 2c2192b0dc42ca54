/** Cuts a recorded owner name into words. Everything after this file works on folded words only. */
import { SHORT_FORMS } from './dictionaries/organization-words.ts'

/** A slot is read up to here; no roll's field is longer. Source: widest owner field seen, 200. */
const TEXT_MAX = 400
const WORD_MAX = 64
const WORDS_MAX = 80

/**
 * A word of A–Z and 0–9, or one of the separators `& , / ; ( )`.
 *
 * Inside a word stand hyphens (`SMITH-JONES`), dots of initials (`J.R`) and the slash of a
 * fraction (`1/2`); `%` stands behind a number.
 */
export type Token = string

/** Tokens that are no words. */
export const SEPARATORS: ReadonlySet<Token> = new Set(['&', ',', '/', ';', '(', ')'])

/**
 * Cuts text into tokens.
 *
 * Case, accents, apostrophes and dots are gone; `+` and `AND` become `&`, quotes parentheses.
 * Reads 400 characters, in time linear in the text. Never throws.
 *
 * @example readTokens("O'Brien-Smith, J.R. + Mary") // ['OBRIEN-SMITH', ',', 'J.R', '&', 'MARY']
 */
export function readTokens(text: string): Token[] {
  const folded = foldName(text)
  const plain = SIMPLE.test(folded) && !folded.includes('PERCENT') ? folded : simplify(folded)
  const tokens: Token[] = []
  for (const token of plain.match(TOKEN) ?? []) {
    if (token === 'AND') tokens.push('&')
    else if (token.length <= WORD_MAX) tokens.push(token)
    if (tokens.length === WORDS_MAX) break
  }
  return tokens
}

/** Upper case without accents and special Latin letters; cut at 400 characters. */
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
    .replace(/[ØŁĐÐÞÆŒẞ]/g, (letter) => LETTERS[letter] ?? letter)
}

/** The form of a word that both sides compare: `INCORPORATED` is `INC`, a saint is `ST`. */
export function canonicalWord(word: string): string {
  return SHORT_FORMS.get(word) ?? word
}

/** Letters and digits of a token without the hyphens, dots and slashes inside. */
export function joinToken(token: Token): string {
  return INNER.test(token) ? token.replace(/[^A-Z0-9]/g, '') : token
}

const PRINTABLE = /^[\x20-\x7e]*$/
const SIMPLE = /^[A-Z0-9 ,&]*$/
const RARE = /[+[\]{}<>|]/
const SHARED = /\d ?(?:%|PERCENT)|\.\d/
const INNER = /[-./%]/
const TOKEN = /[A-Z0-9]+(?:[-./][A-Z0-9]+)*%?|[&,/;()]/g
const LETTERS: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Æ: 'AE',
  Œ: 'OE',
  ẞ: 'SS',
}

/** Brings punctuation to the few signs that `TOKEN` knows. */
function simplify(text: string): string {
  let plain = text.replace(/\s+/g, ' ')
  if (RARE.test(plain)) {
    plain = plain
      .replace(/[+]/g, '&')
      .replace(/[[{<]/g, '(')
      .replace(/[\]}>]/g, ')')
      .replace(/[|]/g, ' / ')
  }
  if (plain.includes('&')) plain = plain.replace(/&AMP;/g, '&').replace(/&(?:#0?39|APOS);/g, "'")
  if (plain.includes('``')) plain = plain.replace(/``([^`']{1,30})''/g, '"$1"')
  if (plain.includes('"')) plain = readQuotes(plain)
  if (plain.includes("'")) plain = readApostrophes(plain)
  if (SHARED.test(plain)) plain = readShares(plain)
  if (plain.includes('/') || plain.includes('\\')) plain = readSlashes(plain)
  if (plain.includes('.')) plain = readDots(plain)
  if (plain.includes('-')) plain = readHyphens(plain)
  return plain
}

/** `JOHN "JACK" DOE`: what stands in quotes is a nickname, unless all of it does. */
function readQuotes(text: string): string {
  const whole = /^\s*"([^"]*)"\s*$/.exec(text)
  if (whole !== null) return whole[1] ?? ''
  return text.replace(/"([^"]{1,30})"/g, ' ($1) ').replace(/"/g, ' ')
}

/** `'JACK'` between blanks is a nickname; other apostrophes vanish, `O' BRIEN` is one word. */
function readApostrophes(text: string): string {
  return text
    .replace(/(^|[\s,])'([A-Z0-9]{2,20}(?: [A-Z0-9]{1,12}){0,2})'(?=$|[\s,])/g, '$1($2)')
    .replace(/\b([OD])' +(?=[A-Z])/g, '$1')
    .replace(/'+/g, '')
}

/** `50 PERCENT`, `50 %` and `33 1/3 %` are one word each, `.5` is `0.5`. */
function readShares(text: string): string {
  return text
    .replace(/(\d) ?(?:PERCENT\b|%)/g, '$1%')
    .replace(/\b\d{1,2}[ -](\d\/\d)%/g, '$1')
    .replace(/(^|[^A-Z0-9])(\.\d)/g, (_, before: string, part: string) => `${before}0${part}`)
}

/** `H/W` and `1/2` are one word each, `W/ MARY` means with her, other slashes separate. */
function readSlashes(text: string): string {
  return text
    .replace(/\\/g, '/')
    .replace(
      /(?<![A-Z0-9/])([A-Z])\s?\/\s?([A-Z])(?:\s?\/\s?([A-Z]))?(?:\s?\/\s?([A-Z]))?(?![A-Z0-9/])/g,
      '$1$2$3$4',
    )
    .replace(/\bOTR\/L\b/g, 'OTRL')
    .replace(/(?<![A-Z0-9])W ?\/ ?(?=R?OS(?![A-Z])|RS(?![A-Z]))/g, 'W')
    .replace(/(?<![A-Z0-9])W ?\/ ?(?=[A-Z]{2})/g, '& ')
    .replace(/(?<![A-Z0-9])(JT|CO)\s?\/\s?(TR|TRS|TEN|RS|ROS)(?![A-Z0-9])/g, '$1 $2')
    .replace(/(\d)\s?\/\s?(?=\d)/g, '$1\u0001')
    .replace(/\//g, ' / ')
    .replaceAll('\u0001', '/')
}

/** `L.L.C.` is initials, kept as `L.L.C`; other dots are blanks. */
function readDots(text: string): string {
  return text
    .replace(/(?<![A-Z0-9])(?:[A-Z]\.){1,6}[A-Z]?\.?(?![A-Z0-9'])/g, joinDotted)
    .replace(/\bPH\. ?D\b/g, 'PHD')
    .replace(/\bR\.PH\b\.?/g, 'RPH ')
    .replace(/\b([BM])\.(ED|SC|DIV|PHIL)\b\.?/g, '$1$2 ')
    .replace(/\b(ED|PSY|PHARM|TH|LL|SC)\.([DMB])\b\.?/g, '$1$2 ')
    .replace(/\bD\.M\.D\b\.?/g, 'DMD ')
    .replace(/(\d)\.(\d)/g, '$1\u0002$2')
    .replace(/(?<![A-Z0-9]|[.][A-Z])\.|\.(?![A-Z0-9])|\.(?=[A-Z0-9]{2})|(?<=[A-Z0-9]{2})\./g, ' ')
    .replaceAll('\u0002', '.')
}

/** `A.B.` is one token of initials; `A. B.` stay apart. */
function joinDotted(initials: string): string {
  return initials.replace(/\.+$/, '')
}

/** A hyphen joins what it touches on either side; alone it is a blank. */
function readHyphens(text: string): string {
  return text
    .replace(CLOSING_HYPHEN, ' ')
    .replace(/(?<=[A-Z]) *-(?=[A-Z])|(?<=[A-Z])- *(?=[A-Z])/g, '-')
    .replace(/-+/g, '-')
    .replace(/(?<![A-Z0-9])-|-(?![A-Z0-9])/g, ' ')
}

/** `PAUL A-TRUSTEE`, `PAUL-JR`: what follows is no half of a name; `CO-TRUSTEE` is one word. */
const CLOSING_WORDS = 'JR|SR|II|III|IV|TRS?|TRUSTEES?|TTEES?|EST|ESTATE|ETAL|DECD|TOD'
const CLOSING_HYPHEN = new RegExp(
  `(?<!\\bCO ?)-(?= ?(?:${CLOSING_WORDS})(?![A-Z0-9]|-[A-Z0-9]))`,
  'g',
)
