/**
 * Decides who assigns the parcel IDs: the county or each municipality. docs/decisions/inspect.md.
 */
import { wordSet } from '../../base/tables.ts'
import { guessOf, SURE } from '../recognize/guess.ts'
import { readMeaning, type Subject, withWords } from '../recognize/subject.ts'
import type { Sample } from '../sample/sample.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'
import type { Spread } from './places.ts'
import { type Setting, setting } from './settings.ts'

/** States whose municipalities assess and number their own parcels. */
export const MUNICIPAL = wordSet('CT MA ME NH NJ NY RI VT')
const NAMED = /TOWN(?!SHIP)|(?:^|_)TNAME|(?:^|_)MUN|JURIS|CVT|(?:^|_)BORO(?!UGH_?CODE)/i
const NOT =
  /(?:^|_)(?:OWN|MAIL|SCH|TAX_?RATE)|MAIL|OWNER|COMMUNITY|MUNI(?:CIPAL)?_?(?:TAX|VAL|RATE|PARC)/i
/** Smallest uniqueness of IDs that counts as unique. */
const UNIQUE = 0.995
const REPEATED = 0.97

/**
 * Finds the column with each parcel's municipality. It must be named as one, since cities in
 * addresses are postal cities.
 */
export function findMunicipality(subjects: Subject[]): Subject | undefined {
  const found = subjects.filter(
    ({ name, contents: c, meaning }) =>
      (NAMED.test(name) || meaning.words.includes('municipality')) &&
      !NOT.test(name) &&
      !meaning.words.includes('mail') &&
      !meaning.words.some((word) => word === 'zip' || word === 'percent') &&
      c.fill > 0.95 &&
      c.uniqueness < 0.5 &&
      c.distinct < 400 &&
      c.address < 0.2 &&
      c.flag < 0.9,
  )
  const named = found.filter(({ contents }) => contents.numeric < 0.5)
  return named[0] ?? found[0]
}

/**
 * Compares IDs within each municipality if municipalities number them; otherwise none would look
 * unique.
 */
export function settleIds(columns: Subject[], sample: Sample): Subject[] {
  const subjects = settleUnits(columns, sample)
  const municipality = findMunicipality(subjects)
  if (municipality === undefined || municipality.contents.distinct < 2) return subjects
  return subjects.map((subject) => {
    const { contents, meaning } = subject
    const isId = meaning.words.includes('id') || meaning.words.includes('parcel')
    if (!isId || contents.uniqueness > REPEATED || contents.fill < 0.9) return subject
    const within = distinctIn(sample, [municipality, subject])
    return within < UNIQUE
      ? subject
      : { ...subject, contents: { ...contents, uniqueness: within, repeatsAcross: true } }
  })
}

const ADDRESS_WORDS = ['street', 'house', 'address', 'site']
const UNIT_WORDS = wordSet('unit number code id site tax')
const MAIL_WORDS = ['mail', 'owner', 'taxpayer']
/** Share of the rows that the values of a handful may be. */
const HANDFUL = 0.1

/**
 * A handful of units in nearly every row, of parcels with addresses of their own, are no units of
 * buildings. Those with which parcel IDs begin are the assessor's, of a municipality.
 */
function settleUnits(subjects: Subject[], sample: Sample): Subject[] {
  const has = ({ meaning }: Subject, words: string[]) =>
    meaning.words.some((word) => words.includes(word))
  const ids = subjects.filter((one) => has(one, ['id', 'parcel']) && one.contents.uniqueness > 0.9)
  const lines = subjects.filter((one) => has(one, ADDRESS_WORDS) && !has(one, MAIL_WORDS))
  return subjects.map((subject) => {
    const { contents: c, meaning } = subject
    const isFull = c.fill > 0.9 && c.texts.length > 19 && c.distinct < c.texts.length * HANDFUL
    const isUnit = meaning.words.includes('unit') && meaning.words.every((w) => UNIT_WORDS.has(w))
    if (!isUnit || !isFull) return subject
    if (ids.some((id) => beginsIds(sample.kept, id, subject)))
      return withWords(subject, ['municipality', 'code'], 0)
    const others = lines.filter((one) => one !== subject)
    if (distinctIn(sample, others) <= 0.8) return subject
    const words = meaning.words.map((word) => (word === 'unit' ? '?unit' : word))
    return withWords(subject, words)
  })
}

/** Reports whether the IDs of nearly all rows begin with the value of a column. */
export function beginsIds(rows: readonly string[][], id: Subject, { index }: Subject): boolean {
  const begun = rows.filter((row) => keyOf(row[id.index]).startsWith(keyOf(row[index])))
  return begun.length > rows.length * 0.9
}

/** Three digits or more that the ID of the row has too. */
export const isWithin =
  (id: Subject, { index }: Subject) =>
  (row: readonly string[]) => {
    const text = (row[index] ?? '').trim()
    return text.length > 2 && (row[id.index] ?? '').includes(text)
  }

/** Letters and digits without leading zeros. */
const keyOf = (text = '') => text.replace(/\W/g, '').replace(/^0+/, '')

/** Returns the distinct combinations of some columns per row. */
function distinctIn({ kept }: Sample, columns: Subject[]): number {
  const texts = kept.map((row) => columns.map(({ index }) => row[index]).join('\n'))
  return new Set(texts).size / Math.max(1, kept.length)
}

/**
 * Adds the roll's scope, and the municipality as a field. Without such a column, adds a comment
 * that says what to do.
 */
export function composeScope(builder: DraftBuilder, state: string | undefined): Setting[] {
  const found = findMunicipality(builder.subjects)
  const municipality = found && isMapped(builder, found, state) ? undefined : found
  const id = builder.look('parcelId')?.subject
  const isMunicipal = state !== undefined && MUNICIPAL.has(state)
  if (municipality === undefined) return isMunicipal ? [unknownScope(state)] : []
  const { name, contents } = municipality
  const guess = guessOf('jurisdiction', municipality, 0.8, [0.8, 0.9])
  if (!builder.has('jurisdiction')) builder.put('jurisdiction', guess)
  const isDoubted = builder.entries.some((one) => one.name === 'city')
  if (!isDoubted && contents.numeric < 0.1 && contents.length > 3) {
    // Lookups by city also match the municipality, so the record need not repeat it as the postal
    // city.
    const note = 'the municipality; no column has the city of the post'
    builder.add('city', name, [guess], { why: note, most: SURE - 0.1 })
  }
  const repeating = id?.contents.repeatsAcross === true ? [id] : []
  if (!isMunicipal && repeating.length === 0) return []
  const share = percent(1 - distinctIn(builder.sample, repeating))
  const why = repeating.length
    ? `${share} of the IDs repeat, none within one ${name}`
    : `in ${state} municipalities number their own parcels`
  builder.put('municipality', guess, {}, `${contents.distinct} of them in the kept rows`)
  return [setting('scope', 'municipality', 0.8, why)]
}

function unknownScope(state: string): Setting {
  const why =
    `in ${state} municipalities number their own parcels, and no column names them: ` +
    'take the // away and add to fields "municipality": { "constant": "NAME" }, or a ' +
    `county's other towns are removed by this file`
  return setting('scope', 'municipality', 0.5, why)
}

/** Owners who live at the site have the city of the post in their mail. */
const POSTAL = 0.8
/** A column named as a town is the city of the post only if nearly all of those agree. */
const POSTAL_TOWN = 0.97

/**
 * Takes the city for the municipality where it differs from the mailing city of owners who live at
 * the site. So it does where it is called a town and too few of those are known.
 */
export function settleTown(builder: DraftBuilder): void {
  const entry = builder.entry('city')
  const guess = builder.look('city')
  if (entry === undefined || guess === undefined || entry.columns.length !== 1) return
  const isTown =
    /TOWN(?!SHIP)[^.]*$/i.test(guess.subject.name) &&
    !readMeaning(guess.subject).words.includes('site')
  const { rows, same } = comparePlaces(builder, guess.subject)
  const isPostal = same > rows * (isTown ? POSTAL_TOWN : POSTAL)
  if (rows >= 20 ? isPostal : !isTown) return
  const seen = `the mail of ${rows} owners who live at the site names it in ${percent(same / rows)}`
  entry.certainty = Math.min(entry.certainty, SURE - 0.1)
  const why = rows >= 20 ? seen : 'its name says so'
  entry.why = `the municipality, not the city of the post: ${why}`
  if (builder.has('jurisdiction')) return
  builder.put('jurisdiction', { ...guess, certainty: Math.max(guess.certainty, 0.8) })
}

/** States whose townships are governments. Elsewhere they are districts of a map or an election. */
const CIVIL = /^(?:I[ALN]|KS|M[INO]|N[DEJ]|OH|PA|SD|WI)$/

/** Doubts a township as the municipality where none taxes; returns whether the column is one. */
function isMapped(builder: DraftBuilder, subject: Subject, state = 'WI'): boolean {
  if (CIVIL.test(state) || !readMeaning(subject).words.includes('township')) return false
  const entry = builder.entries.find((one) => one.name === 'jurisdiction')
  if (entry?.columns.includes(subject.name)) {
    entry.certainty = SURE - 0.1
    entry.why = `${entry.why}; townships of ${state} do not tax`
  }
  return true
}

function comparePlaces(builder: DraftBuilder, town: Subject): { rows: number; same: number } {
  const at = (name: string) => builder.look(name)?.subject.index ?? -1
  const [line, mail] = [at('address'), at('ownerAddressLine1')]
  const [city, place] = [at('ownerCity'), at('ownerCityStateZip')]
  const keyOf = (text: string | undefined) => (text ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '')
  let rows = 0
  let same = 0
  for (const row of builder.sample.kept) {
    const site = keyOf(row[line])
    if (!/^\d+[A-Z]/.test(site) || site !== keyOf(row[mail])) continue
    const postal = city >= 0 ? row[city] : /^(.*?)[, ]+[A-Z]{2}\b/i.exec(row[place] ?? '')?.[1]
    if (keyOf(postal) === '' || keyOf(row[town.index]) === '') continue
    rows += 1
    if (keyOf(postal) === keyOf(row[town.index])) same += 1
  }
  return { rows, same }
}

/** For rows of several states: each row names its own. */
export function composeSpread(builder: DraftBuilder, { state, county, isFips }: Spread): void {
  const cut = isFips ? { cut: '^\\d\\d' } : {}
  const why = 'the rows are of several states'
  builder.put('state', guessOf('state', state, 0.9, [0.9, 1]), cut, why)
  builder.put('county', guessOf('county', county, 0.9, [0.9, 1]))
}
