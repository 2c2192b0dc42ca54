/** Splits a column's name into words and their meanings in `tables/column-words.txt`. */

import { readFolded, wordSet } from '../../base/tables.ts'

/** The meaning of a column's name. */
export type Meaning = {
  /** Meanings in the order of the words; an unknown word is in lower case after `?`. */
  words: string[]
  /** The number at the end: 2 of `OWNER2`; 0 without one. */
  ordinal: number
}

/** Longer names are not read: the cuts of a word grow with the square of its length. */
const NAME_MAX = 200

/**
 * Reads a column's name: `OwnerName1`, `OWNERNME1` and `own_name_1` are all the first owner's name.
 *
 * Words written together are split into known words, preferring few words and few unknown letters.
 * The prefix of a joined table (`LOC_ID.x`, `properties.PIN`) is dropped. `isNested`: the prefix is
 * the name of an object, or of one of a list: `sales.2.price` is of the second sale.
 */
export function readName(name: string, isNested = false): Meaning {
  if (name.length > NAME_MAX) return { words: [], ordinal: 0 }
  const item = isNested ? /^(.+?)\.(\d{1,2})\.(.+)$/.exec(name) : null
  if (item !== null) {
    const [, list = '', place, own = ''] = item
    const { words } = readTitled(list.replaceAll('.', ' '), readName(own, true))
    return { words, ordinal: Number(place) }
  }
  const plain = dropNotes(name)
  const [, title, rest = ''] =
    /^([^:]{2,60}):(?=.*[A-Za-z])(.*)$/.exec(plain) ?? ((isNested && splitPath(plain)) || [])
  const meaning = title === undefined ? readPlain(plain) : readTitled(title, readName(rest))
  const isPage = /\bfolio$/i.test(plain.trim()) && meaning.words.some((word) => DEEDS.has(word))
  const bare = meaning.words.filter((word) => word !== 'parcel' && word !== 'id' && word !== 'page')
  return isPage ? { ...meaning, words: [...bare, 'page'] } : meaning
}

/** `deed.date`, `values.land`: one word needs its object's; a parcel's object says nothing. */
function splitPath(name: string): string[] | undefined {
  const path = /^([A-Za-z_]\w*(?:\.\w+)*)\.([A-Za-z]{2,})$/.exec(name)
  const [, title = '', own = ''] = path ?? []
  const kept = title.replace(/^\w*(?:parcel|assessor|cama)\w*\.?/i, '').replaceAll('.', ' ')
  return kept === '' || readPlain(own).words.length > 1 ? undefined : [name, kept, own]
}

/** Words next to which a folio is a page of the deed's book, not a parcel. */
const DEEDS: ReadonlySet<string> = new Set(['deed', 'book', 'document', 'sale', 'grantor'])

/**
 * Drops notes in brackets that say nothing new: `Owner Name (OWN1)`, `Price [USD]`, `Sale Date
 * (YYYY.MM)`, `Number (MDP Field: PREMSNUM)`. A unit stays, as do words that tell whose it is.
 */
function dropNotes(name: string): string {
  if (!/[([{]/.test(name)) return name
  const outside = readPlain(name.replace(BRACKETS, ' '))
  return name.replace(BRACKETS, (whole, note: string, at: number) => {
    const isKnown = outside.words.some((word) => !word.startsWith('?'))
    if (at > 0 && NOTE.test(note)) return ' '
    if (at === 0 || !isKnown || /^[\W\d]*\d[\W\d]*$/.test(note)) return whole
    const { words, ordinal } = readPlain(note)
    const isOld = words.every((word) => word.startsWith('?') || outside.words.includes(word))
    if (!isOld) return whole
    return outside.ordinal === 0 && words.some((word) => !word.startsWith('?')) && ordinal > 0
      ? ` ${ordinal}`
      : ' '
  })
}
const BRACKETS = / ?[([{]([^()[\]{}]*)[)\]}]/g
/** A field of another list, a form of dates, a currency. */
const NOTE =
  /\b(?:field|column|col|attribute|variable)\b|^[MDYHS./ -]{4,}$|^(?:US ?)?(?:\$|USD|dollars)$/i

/** `PREMISE ADDRESS: Number`: words of the group's title, without those of its form. */
function readTitled(title: string, { words, ordinal }: Meaning): Meaning {
  // The cycle before the current one.
  const group = readPlain(title.replace(/\bbase(?= cycle)/i, 'PRIOR'))
  const isKey = group.words.includes('key') || !words.some((word) => !word.startsWith('?'))
  const kept = group.words.filter((word) => !/^\?/.test(word) && !TITLES.has(word))
  if (kept.length === 0 || (isKey && words.length > 0)) return { words, ordinal }
  const added = kept.filter((word) => !words.includes(word))
  return { words: [...added, ...words], ordinal: group.ordinal || ordinal }
}
/** Words of titles that say nothing of a column. */
const TITLES = wordSet('year key system row source note update roll count code number group status')

/** What the amounts of a column are counted in, by its name: `Land Value (hundreds)`, `AV_000S`. */
export function scaleOf(column: string): number {
  const [, hundreds, thousands] = SCALE.exec(column) ?? []
  return hundreds !== undefined ? 100 : thousands !== undefined ? 1000 : 1
}
const SCALE = new RegExp(
  '(?<!^|[A-Z0-9]|[a-z](?![A-Z]))(?:([Hh]undreds|HUNDREDS|1?00[Ss]|(?<=[ (])[xX] ?100)' +
    '|([Tt]housands|THOUSANDS|1?000[Ss]|(?<=[ ($])000|(?<=[ (])[xX] ?1,?000))(?![A-Za-z0-9])',
)

function readPlain(name: string): Meaning {
  // `St#`, `Parcel #`; `Owner #2` is the second.
  const plain = stripTable(
    name
      .replace(/^# (?=[A-Za-z])/, 'NUMBER ')
      .replace(/(?:(?<![A-Z0-9])E-?|(?<!\d))911(?!\d)/gi, ' SITE ')
      .replace(/['’](?=t\b)/gi, '')
      .replace(/(?<=[A-Za-z]) ?\$$/, ' AMOUNT')
      .replace(SCALE, '')
      .replace(/\bdeed[ _-]ref(?:erence)?(?=[ _-]?\d*\W)/gi, 'DEED')
      .replace(/\bpost(?:al)?[ _-]code/gi, 'zipcode')
      .replace(/under[ _-]?air/gi, 'living')
      .replace(STORY, ' ATTIC ')
      .replace(/\bc\/o\b/gi, 'CAREOF')
      .replace(/first[ _-]?owner/gi, 'owner')
      .replace(
        /(?<![A-Z0-9])co[ _-]?own(?:er)?(?=[ _-]?(?:first|last|middle|name))/gi,
        'second owner',
      )
      .replace(/(?<=[A-Za-z][ .]?)#(?! ?\d)/g, ' NUMBER '),
  )
  // A spreadsheet's error value instead of a name.
  if (plain.startsWith('#')) return { words: [], ordinal: 0 }
  const whole = KNOWN.get(plain.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  if (whole !== undefined) return { words: whole, ordinal: 0 }
  const pieces = splitPieces(plain)
  const words: string[] = []
  // `NETTAXABL`: some cut a letter earlier.
  const isNear = plain.length === DBF_WIDTH - 1 && /^[A-Z_]+$/.test(plain)
  let ordinal = 0
  for (const [at, piece] of pieces.entries()) {
    const cut = plain.length === DBF_WIDTH && at === pieces.length - 1
    const known = (cut ? initialOf(piece, words) : undefined) ?? KNOWN.get(piece)
    const whole = known ?? (cut ? completed(piece) : undefined)
    const spelled = words.length > 0 ? NUMERALS.indexOf(piece) : -1
    if (spelled >= 0) ordinal = spelled + 1
    else if (whole !== undefined) words.push(...whole)
    else if (/^\d+$/.test(piece)) {
      if (at === pieces.length - 1 || ordinal === 0) ordinal = Math.min(Number(piece), 99)
    } else
      words.push(...((cut || isNear ? cutAtEnd(piece, cut ? 3 : 5) : undefined) ?? cutWord(piece)))
  }
  // `NBR_F_BATHS`, `NBR_H_BATHS`: full and half ones.
  const letter = words.includes('bathrooms') ? words.findIndex((word) => word in BATHS) : -1
  if (letter >= 0) words[letter] = BATHS[words[letter] ?? ''] ?? ''
  if (words.at(-1) === 'zip' && (ordinal === 4 || ordinal === 5)) {
    return { words: ordinal === 4 ? [...words, 'four'] : words, ordinal: 0 }
  }
  // `prc ttl assess`: of the parcel; `SALE_PRC` is a price.
  if (pieces[0] === 'PRC' && words.some((word) => word === 'assessed' || MONEY.has(word)))
    words[0] = 'parcel'
  // Ohio assesses at 35 per cent of the market value: `TOT_35`.
  if (ordinal === 35 && words.some((word) => MONEY.has(word))) {
    return { words: ['assessed', ...words], ordinal: 0 }
  }
  return { words, ordinal }
}

const BATHS: Readonly<Record<string, string>> = { '?f': 'full', '?h': 'half' }

/** `owner_two` is the second owner. */
const NUMERALS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']

/**
 * dBASE leaves a letter or two of `TAXPAYER_NAME`, `PROPERTY_ADDRESS`, `MAILING_CITY` and
 * `ASSESSED_LAND`.
 */
function initialOf(piece: string, words: readonly string[]): string[] | undefined {
  const of = words.length === 1 || words.at(-1) === 'address' ? (words.at(-1) ?? '') : ''
  const full = INITIALS.find(({ words: own }) => own.includes(of))?.ends.split(' ') ?? []
  const word = full.find((one) => one.toUpperCase().startsWith(piece))
  return word === undefined ? undefined : word === 'type' ? ['kind'] : [word]
}
const INITIALS = [
  { words: ['taxpayer', 'owner', 'site', 'mail'], ends: 'address city name type zip' },
  { words: ['address'], ends: 'line city zip' },
  { words: ['assessed', 'taxable'], ends: 'land building improvement total' },
]

const MONEY: ReadonlySet<string> = new Set(['land', 'building', 'improvement', 'total', 'value'])

/** The area of one floor is none of the building: `FIRST_FLR_SF`, `FLR1_AREA`. */
const STORY =
  /(?:1ST|2ND|3RD|FIRST|SECOND|THIRD|UPPER|LOWER|GROUND)[ _-]?FLO*R|FLO*R[ _-]?\d(?=[ _-]?[A-Z])/gi

/** dBASE cuts names to this many letters. */
const DBF_WIDTH = 10

/**
 * Completes a cut word to the shortest known word: `SQFT_LIVIN` was living, not living area. Two
 * letters are too few.
 */
function completed(piece: string): string[] | undefined {
  if (piece.length < 3 && piece !== 'OW') return undefined
  let shortest: string | undefined
  for (const word of KNOWN.keys()) {
    if (word.startsWith(piece) && word.length < (shortest?.length ?? 99)) shortest = word
  }
  return KNOWN.get(shortest ?? '')
}

/** `landusecod`: words written together, of which the last one was cut to `least` letters. */
function cutAtEnd(piece: string, least: number): string[] | undefined {
  for (let at = piece.length - 2; at >= 3; at -= 1) {
    const head = cutWord(piece.slice(0, at))
    if (head.some((word) => word.startsWith('?'))) continue
    const isLong = piece.length - at >= least
    const tail =
      initialOf(piece.slice(at), head) ?? (isLong ? completed(piece.slice(at)) : undefined)
    if (tail !== undefined)
      return cutWord(piece).some((word) => word.startsWith('?')) ? [...head, ...tail] : undefined
  }
  return undefined
}

/** Drops a table's name: `LOC_ID.x` and `attributes.LOC_ID` become `LOC_ID`. */
function stripTable(name: string): string {
  const parts = name.trim().split('.')
  const last = parts.at(-1) ?? ''
  // `Est. Fair Mkt. Value` is abbreviated, as is `Area (Sq.Ft.)`.
  if (!/^[\w$-]+(?:\.[\w$-]+)*\.(?! )[^.]*$/.test(name.trim())) return name.trim()
  return /^[xy]$|^\d*$/i.test(last) ? (parts.at(-2) ?? name) : last
}

/**
 * Splits at blanks, signs, changes of case and digits into upper-case pieces: `yrBlt2`,
 * `SITE_ADDR`.
 */
function splitPieces(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z]{2,})/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .flatMap((piece) => (KNOWN.has(piece) ? [piece] : piece.split(/(?<=\D)(?=\d)|(?<=\d)(?=\D)/)))
    .filter((piece) => piece !== '' && !FILLERS.has(piece))
}

const FILLERS = wordSet(
  'OF THE AND FOR IN BY PER TEXT TXT HAS DATA INFO SEGMENT HISTORY CNS VNS ABBREV',
)

/**
 * Splits joined letters into known words at the lowest cost; an unknown letter costs as much as two
 * words. Gives up when three tenths of the letters are unknown.
 */
function cutWord(word: string): string[] {
  if (word.length > 40) return [`?${word.toLowerCase()}`]
  const best: { cost: number; words: string[] }[] = [{ cost: 0, words: [] }]
  for (let end = 1; end <= word.length; end += 1) {
    const before = best[end - 1] as { cost: number; words: string[] }
    let least = { cost: before.cost + 2.1, words: addLetter(before.words, word[end - 1] ?? '') }
    for (let start = Math.max(0, end - 14); start <= end - 2; start += 1) {
      const known = KNOWN.get(word.slice(start, end))
      const from = best[start]
      if (known === undefined || from === undefined) continue
      const short = end - start === 2
      if (short && !SHORT.has(word.slice(start, end))) continue
      if (start > 0 && WHOLE.test(word.slice(start, end))) continue
      const cost = from.cost + (short ? 1.6 : 1)
      if (cost < least.cost) least = { cost, words: [...from.words, ...known] }
    }
    best.push(least)
  }
  const words = best[word.length]?.words ?? []
  const left = words.reduce((sum, one) => sum + (one.startsWith('?') ? one.length - 1 : 0), 0)
  return left >= word.length * 0.3 ? [`?${word.toLowerCase()}`] : words
}

/** `MCITY` is the mailing city at the beginning of a name, but not inside `PREMCITY`. */
const WHOLE =
  /^[MOPSL](?:CITY|CTY|STATE?|ZIP|ADD|ADDR|ADDRESS|NUM|STREET)|^(?:ASS|ONM|ORB|ORP|NUC)$/

/** Two-letter words that count inside a longer one; others occur in too many words. */
const SHORT = wordSet('ID NO NM YR AC ST SF CD DT NB TX BK PG FT LT AV GL')

function addLetter(words: string[], letter: string): string[] {
  const last = words.at(-1)
  return last?.startsWith('?')
    ? [...words.slice(0, -1), last + letter.toLowerCase()]
    : [...words, `?${letter.toLowerCase()}`]
}

const KNOWN: ReadonlyMap<string, string[]> = new Map(
  readFolded('column-words.txt').flatMap((line) => {
    const [meaning = '', words = ''] = line.split(': ')
    const meanings = meaning.split(' ')
    return words.split(' ').map((word) => [word.replaceAll('_', ''), meanings] as const)
  }),
)
