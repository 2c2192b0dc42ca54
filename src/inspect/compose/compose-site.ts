/** Drafts the parcel's address and coordinates. */
import { wordSet } from '../../base/tables.ts'
import { cutCityStateZip, cutOneLine } from '../../import/rows/lines.ts'
import { findCounty } from '../../regions/counties.ts'
import { type Guess, guessOf } from '../recognize/guess.ts'
import { scoreField } from '../recognize/score.ts'
import type { Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { findProjection } from '../sample/projections.ts'
import type { DraftBuilder } from './draft-builder.ts'
import { UNIT_START } from './owner/envelope-lines.ts'
import type { PlaceFinding } from './places.ts'

export function composeSite(builder: DraftBuilder): void {
  composeLine(builder)
  if (builder.look('unitNumberStripped') === undefined) composeUnitLine(builder)
  builder.take('unitNumberStripped', 'unitType', 'city')
  const isWhole = ['city', 'zipCode'].every((field) => builder.look(field) !== undefined)
  if (!isWhole) builder.take('cityStateZip')
  builder.take('zipCode', 'zipCodePlusFour')
}

function composeLine(builder: DraftBuilder): void {
  const line = builder.look('address')
  const number = builder.look('streetNumber')
  const street = builder.look('streetName')
  if (line !== undefined && isLine(line)) {
    const cities = citiesAtEnd(builder, line)
    if (cities.length > 0) {
      composeCityLine(builder, line, cities)
      return
    }
    const oneLine = line.subject.contents.oneLine > 0.4
    const other = oneLine ? undefined : findOtherLine(builder, line)
    if (other !== undefined) {
      const first = [line.subject.name, other]
      builder.add('address', { first }, [line], `else ${other}`)
      return
    }
    const texts = builder.sample.kept.map((row) => row[line.subject.index] ?? '')
    const hasSlot = shareOf(texts, (text) => SLOT.test(text)) > 0.02
    const rule = hasSlot ? { replace: [{ pattern: BEFORE_NUMBER, with: '' }] } : {}
    const notes = [oneLine ? 'city or ZIP are in the same line' : '', hasSlot ? SLOT_NOTE : '']
    const note = notes.filter((text) => text !== '').join('; ')
    builder.put(oneLine ? 'addressFull' : 'address', line, rule, note)
    return
  }
  if (number === undefined || (street === undefined && line === undefined)) {
    builder.put('address', line)
    if (line === undefined) builder.put('streetName', street)
    return
  }
  composeNumber(builder, number)
  builder.take('streetDirectionPrefix')
  putStreet(builder, street ?? line)
  builder.take('streetType', 'streetDirectionSuffix')
}

/** `LOCAPROP` has the address where `E911ADDR` is blank, and mostly the same where it is not. */
function findOtherLine(builder: DraftBuilder, line: Guess) {
  const { sample, subjects } = builder
  const { index } = line.subject
  const used = builder.usedColumns()
  const textAt = (row: readonly string[], at: number) => (row[at] ?? '').trim().toUpperCase()
  const other = subjects.find((subject) => {
    const { words } = subject.meaning
    const isOwners = words.includes('mail') || words.includes('owner') || used.has(subject.name)
    const { byName, byContents } = scoreField('address', subject)
    if (subject.index === index || isOwners || byName < 0.6 || byContents < 0.8) return false
    const rows = sample.kept.filter((row) => textAt(row, subject.index) !== '')
    const both = rows.filter((row) => textAt(row, index) !== '')
    const same = both.filter((row) => textAt(row, index) === textAt(row, subject.index))
    return rows.length - both.length > sample.kept.length * 0.01 && same.length > both.length * 0.8
  })
  return other?.name
}

/** `AddressLine2` with `UNIT 4`, next to the street in the first line. */
function composeUnitLine(builder: DraftBuilder): void {
  const used = builder.usedColumns()
  const form = new RegExp(`^(?:${UNIT_START})`, 'i')
  const stemOf = (name: string) => name.replace(/\W?\d+$/, '')
  const first = builder.look('address')?.subject.name ?? ''
  const second = builder.subjects.find(({ name, meaning: { words, ordinal }, contents }) => {
    const isOf = words.includes('site') || stemOf(name) === stemOf(first)
    const isLine = ordinal === 2 && isOf && words.every((word) => LINE.has(word))
    const { texts } = contents
    const units = texts.filter((text) => form.test(text)).length
    return isLine && !used.has(name) && units > 0 && units > texts.length * 0.9
  })
  if (second === undefined || !builder.has('address')) return
  const guess = guessOf('unitNumberStripped', second, 0.8, [0.5, 1])
  const cut = '^(?:#|(?:APT|APARTMENT|UNIT|STE|SUITE|LOT)\\b)\\.? *(.+)$'
  builder.put('unitNumberStripped', guess, { cut }, 'the line below the street')
}
const LINE: ReadonlySet<string> = new Set(['site', 'address', 'line', 'street'])

/** `ST_PRE_TYP` holds `Highway` where `ST_NAME` is 61. */
function putStreet(builder: DraftBuilder, street: Guess | undefined): void {
  const isBefore = ({ meaning: { words }, contents: c }: Subject) =>
    words.includes('prefix') &&
    words.includes('kind') &&
    !words.includes('mail') &&
    c.texts.some((text) => /[A-Z]/i.test(text))
  const kind = builder.subjects.find(isBefore)
  if (kind === undefined || street === undefined) {
    builder.put('streetName', street)
    return
  }
  const join = [kind.name, street.subject.name]
  builder.add('streetName', { join }, [street], `after ${kind.name}`)
}

/** A name in a slot of its own width before the number: `BRIARWOOD         2519 BRIARWOOD CIR`. */
const SLOT = /^[^0-9]{3,}? {3,}\d/
const BEFORE_NUMBER = '^[^0-9]{3,} (?=\\d\\S* \\S+ \\S)'
const SLOT_NOTE = 'a name before the number, in a slot of its own, is left out'

const isLine = ({ subject: { contents } }: Guess) =>
  Math.max(contents.address, contents.numberLast) >= 0.3

/**
 * `12 BROADWAY MILLPORT`: returns the cities that most lines end in, without a comma. They are
 * those of the row's own column, else those to which mail goes.
 */
function citiesAtEnd(builder: DraftBuilder, line: Guess): string[] {
  const lines = builder.sample.kept.map((row) => (row[line.subject.index] ?? '').toUpperCase())
  const city = builder.look('city')?.subject
  const own = builder.sample.kept.map((row) => (row[city?.index ?? -1] ?? '').toUpperCase())
  const filled = lines.filter((text) => text !== '').length
  const ending = (text: string, at: number) => isCity(own[at] ?? '') && text.endsWith(` ${own[at]}`)
  const ended = city === undefined ? [] : own.filter((_, at) => ending(lines[at] ?? '', at))
  if (city !== undefined) return ended.length > filled * 0.5 ? namesOf(own) : []
  const mail = builder.look('ownerCity')?.subject.contents.texts
  const cities = namesOf(mail ?? builder.subjects.flatMap(placesIn))
  const found = cities.filter(
    (name) => lines.filter((text) => text.endsWith(` ${name}`)).length > 1,
  )
  const all = lines.filter((text) => found.some((name) => text.endsWith(` ${name}`)))
  return all.length > filled * 0.5 ? found : []
}

/** The cities before states in a column of places or of whole mailing texts. */
function placesIn({ contents: c }: Subject): string[] {
  if (Math.max(c.cityStateZip, c.oneLine) <= 0.1) return []
  const cut = c.oneLine > c.cityStateZip ? (text: string) => cutOneLine(text, '') : cutCityStateZip
  return c.texts.map((text) => cut(text)).map(({ city, state }) => (state && city) ?? '')
}

const isCity = (text: string) => /^[\p{L}][\p{L} .'-]{3,}$/u.test(text)
/** Cities at the end of lines that a draft lists. */
const CITIES_MAX = 100

const namesOf = (texts: string[]) =>
  [...Map.groupBy(texts, (text) => text.toUpperCase())]
    .filter(([city, all]) => all.length > 1 && isCity(city))
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, CITIES_MAX)
    .map(([city]) => city)

/** A comma before the city says where it begins; a street of the city's name keeps its name. */
function composeCityLine(builder: DraftBuilder, line: Guess, cities: string[]): void {
  const { name } = line.subject
  const longest = cities.toSorted((a, b) => b.length - a.length)
  const names = longest.map((city) => city.replaceAll('.', '\\.')).join('|')
  const pattern = `(?<=\\d\\S* (?:[NSEW]{1,2} )?(?![NSEW]{1,2} (?:${names})$)\\S.*) (${names})$`
  const rule = { replace: [{ pattern, with: ', $1' }] }
  builder.put('addressFull', line, rule, 'the city is in the same line')
  builder.add('addressRaw', name, [line], 'as the roll has it')
}

/** A range of numbers is `100-104`; a fraction follows the number. */
function composeNumber(builder: DraftBuilder, number: Guess): void {
  const [high, fraction] = [builder.look('streetNumberHigh'), builder.look('streetFraction')]
  const column = { column: number.subject.name, nulls: ['0'] }
  if (high === undefined && fraction === undefined) {
    builder.put('streetNumber', number)
    return
  }
  const range = {
    join: [column, { column: high?.subject.name ?? '', nulls: ['0'] }],
    with: '-',
    // Some rolls write a single number twice.
    replace: [{ pattern: '^(\\d+)-\\1$', with: '$1' }],
  }
  const upTo = `up to ${high?.subject.name}`
  if (fraction === undefined) {
    builder.add('streetNumber', range, [number], upTo)
    return
  }
  const { name } = fraction.subject
  const replace = [
    // iasWorld has the high end of a range in the same column.
    { pattern: '^(\\d+) (\\d+)$', with: '$1-$2' },
    { pattern: '^(\\d+) ([A-Za-z])$', with: '$1$2' },
  ]
  const value = { join: [high === undefined ? column : range, name], replace }
  const note = high === undefined ? '' : `${upTo}, `
  builder.add('streetNumber', value, [number], `${note}with ${name}`)
}

type PointRule = {
  value: { epsg: number; x: string; y: string }
  certainty: number
  why: string
}

/**
 * Uses the roll's own degrees; else planar coordinates with the projection that puts them into the
 * state.
 */
export function composePoint(
  builder: DraftBuilder,
  { state, county }: PlaceFinding,
): PointRule | undefined {
  const [latitude, longitude] = degreesOf(builder)
  if (latitude !== undefined && longitude !== undefined) {
    builder.put('latitude', latitude)
    // Some files leave out the sign that all of the US shares.
    const isUnsigned = longitude.subject.contents.low > 60
    const rule = isUnsigned ? { times: -1 } : {}
    builder.put('longitude', longitude, rule, isUnsigned ? 'west of Greenwich' : '')
    return undefined
  }
  if (composePointText(builder)) return undefined
  const [x, y] = [builder.look('x'), builder.look('y')]
  if (x === undefined || y === undefined) return undefined
  const points = builder.sample.kept
    .map((row) => [Number(row[x.subject.index]), Number(row[y.subject.index])] as const)
    .filter(([east, north]) => east !== 0 && north !== 0 && Number.isFinite(east + north))
  const own = state && county && findCounty(state.value, county.value)
  const found = findProjection(points, state?.value, own?.fips)
  if (found === undefined) return undefined
  return {
    value: { epsg: found.epsg, x: x.subject.name, y: y.subject.name },
    certainty: Math.min(x.certainty, y.certainty, found.certainty),
    why: `${found.name}: ${found.why}`,
  }
}

/** Names of coordinates, degrees or planar. */
const GEOGRAPHIC = wordSet('latitude longitude x y coordinate site parcel point number')

/**
 * Some files exchange latitude and longitude, or call them x and y. In the US the values show which
 * is which.
 */
function degreesOf(builder: DraftBuilder): (Guess | undefined)[] {
  const own = [builder.look('latitude'), builder.look('longitude')]
  if (own.every((guess) => guess !== undefined)) return own
  const named = builder.subjects.filter(
    ({ meaning }) =>
      meaning.words.some((word) => COORDINATES.has(word)) &&
      meaning.words.every((word) => GEOGRAPHIC.has(word)),
  )
  const [latitude, longitude] = ['latitude', 'longitude'].map((field) => {
    const [one, ...others] = named.filter((subject) => scoreField(field, subject).byContents > 0.5)
    return others.length === 0 ? one : undefined
  })
  if (latitude === undefined || longitude === undefined || latitude === longitude) return own
  if (latitude.contents.low < 0) return own
  const guess = (field: string, subject: Subject) => guessOf(field, subject, 0.8, [0.5, 1])
  return [guess('latitude', latitude), guess('longitude', longitude)]
}
const COORDINATES: ReadonlySet<string> = new Set(['latitude', 'longitude', 'x', 'y'])

/** Points written as one text: `POINT (-122.4 37.7)`, `(37.7, -122.4)`. */
const POINT_TEXTS = [
  {
    pattern: /^POINT ?\((-?\d+\.\d+) (-?\d+\.\d+)\)$/i,
    longitude: '^POINT ?\\((-?[\\d.]+)',
    latitude: '^POINT ?\\(\\S+ (-?[\\d.]+)',
  },
  {
    pattern: /^\(?(\d{2}\.\d+), ?(-\d+\.\d+)\)?$/,
    latitude: '^\\(?([\\d.]+)',
    longitude: ', ?(-[\\d.]+)',
  },
]

function composePointText(builder: DraftBuilder): boolean {
  for (const subject of builder.subjects) {
    const { texts } = subject.contents
    const found = POINT_TEXTS.find(
      ({ pattern }) =>
        texts.length > 0 && texts.filter((text) => pattern.test(text)).length > texts.length * 0.9,
    )
    const [, a = '', b = ''] = found?.pattern.exec(texts[0] ?? '') ?? []
    if (found === undefined || Math.max(Math.abs(Number(a)), Math.abs(Number(b))) > 180) continue
    for (const field of ['latitude', 'longitude'] as const) {
      const guess = { field, subject, certainty: 0.9, byName: 0, byContents: 1 }
      builder.put(field, guess, { cut: found[field] }, 'cut out of a point')
    }
    return true
  }
  return false
}
