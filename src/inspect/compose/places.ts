/** Finds the state and county of a file from its columns, ZIP codes, points, owners and name. */
import { COUNTIES, countyByFips, findCounty, fipsCode } from '../../regions/counties.ts'
import { isNearCounty } from '../../regions/county-outline.ts'
import { findState, findStateByFips, stateOfZip } from '../../regions/states.ts'
import type { Subject } from '../recognize/subject.ts'
import { statesAround } from '../sample/projections.ts'
import { stateOfPlace } from '../sample/text-kinds.ts'
import type { DraftBuilder } from './draft-builder.ts'
import { percent } from './draft-builder.ts'

/** A guess with its certainty, 0 to 1, and its reason. */
type Finding = { value: string; certainty: number; why: string }

export type PlaceFinding = {
  state: Finding | undefined
  county: Finding | undefined
  countyColumn: string | undefined
  /** For rows of several states: the columns with each row's state and county. */
  spread?: Spread
}

/**
 * `isFips`: the county column holds five-digit FIPS codes, whose first two digits are the state.
 */
export type Spread = { state: Subject; county: Subject; isFips: boolean }

/** `state` and `county`: given by the person; they take precedence. */
export function findPlace(
  builder: DraftBuilder,
  given: { state?: string | undefined; county?: string | undefined },
): PlaceFinding {
  const spread = given.state === undefined ? findSpread(builder) : undefined
  if (spread !== undefined) return { state: undefined, county: undefined, ...spread }
  const state =
    given.state === undefined
      ? guessState(builder)
      : { value: given.state.toUpperCase(), certainty: 1, why: 'given on the command line' }
  const column = given.county === undefined ? findCountyColumn(builder, state?.value) : undefined
  if (column !== undefined) {
    const own = state ?? column.state
    return { state: own, county: undefined, countyColumn: column.name }
  }
  const county =
    given.county === undefined
      ? state && guessCounty(builder, state.value)
      : { value: given.county, certainty: 1, why: 'given on the command line' }
  return { state, county, countyColumn: undefined }
}

/** Share of rows that must name an existing county, and of points that lie near one. */
const SPREAD = 0.95
/** Most points that are looked for in each county of a state. */
const POINTS_MAX = 500

/**
 * Finds the columns of a roll of several states: two columns, or one of FIPS codes, that give a
 * county for nearly every row.
 */
function findSpread(
  builder: DraftBuilder,
): Pick<PlaceFinding, 'countyColumn' | 'spread'> | undefined {
  const own = builder.subjects.filter(({ meaning }) => !meaning.words.includes('mail'))
  const states = own.filter(
    ({ meaning, contents }) => meaning.words.includes('state') && contents.distinct > 1,
  )
  const counties = own.filter(({ meaning }) =>
    meaning.words.some((word) => word === 'county' || word === 'fips'),
  )
  const rows = builder.sample.kept.slice(0, 1000)
  for (const county of counties) {
    const codes = rows.map((row) => row[county.index] ?? '').filter((text) => text !== '')
    const byCode = codes.map((text) =>
      /^\d{5}$/.test(text) ? countyByFips(Number(text))?.state : undefined,
    )
    const known = byCode.filter((state) => state !== undefined)
    if (known.length > codes.length * SPREAD && new Set(known).size > 1) {
      return { countyColumn: county.name, spread: { state: county, county, isFips: true } }
    }
    for (const state of states) {
      const pairs = rows.map((row) => stateOf((row[state.index] ?? '').trim()))
      const found = rows.filter(
        (row, at) => findCounty(pairs[at] ?? '', (row[county.index] ?? '').trim()) !== undefined,
      )
      if (found.length > rows.length * SPREAD && new Set(pairs).size > 1) {
        return { countyColumn: county.name, spread: { state, county, isFips: false } }
      }
    }
  }
  return undefined
}

const stateOf = (text: string) => (findState(text) ?? findStateByFips(text))?.code

function guessState(builder: DraftBuilder): Finding | undefined {
  const findings: Finding[] = []
  const site = builder.look('siteState')?.subject
  const own =
    site === undefined
      ? undefined
      : commonest(site.contents.texts.map((text) => findState(text)?.code))
  if (own !== undefined && own.share > 0.9) {
    findings.push({ value: own.value, certainty: 0.97, why: `${site?.name} says ${own.value}` })
  }
  const zip = commonest(builder.look('zipCode')?.subject.contents.texts.map(stateOfZip) ?? [])
  if (zip !== undefined && zip.share > 0.9) {
    findings.push({
      value: zip.value,
      certainty: 0.95,
      why: `${percent(zip.share)} of the site ZIP codes are of ${zip.value}`,
    })
  }
  const points = placesOf(builder)
  const around = points.length < 3 ? [] : statesAround(points)
  if (around.length === 1 && around[0] !== undefined) {
    findings.push({ value: around[0], certainty: 0.93, why: `the points lie in ${around[0]}` })
  }
  const mail = commonest(
    builder.look('ownerState')?.subject.contents.texts.map((text) => findState(text)?.code) ??
      mailStates(builder),
  )
  if (mail !== undefined && mail.share > 0.45) {
    const agrees = around.length === 0 || around.includes(mail.value)
    const certainty = agrees ? 0.5 + mail.share * 0.45 : 0.3
    findings.push({
      value: mail.value,
      certainty,
      why: `${percent(mail.share)} of the mailing addresses are in ${mail.value}`,
    })
  }
  return findings.sort((a, b) => b.certainty - a.certainty)[0]
}

/** Returns states at the end of lines that hold city, state and ZIP. */
function mailStates(builder: DraftBuilder): (string | undefined)[] {
  const lines = builder.subjects.filter(
    ({ contents }) => contents.cityStateZip > 0.3 || contents.oneLine > 0.3,
  )
  return lines.flatMap(({ contents }) => contents.texts.map(stateOfPlace))
}

/** Returns points of shapes, or the roll's own degrees. */
function placesOf(builder: DraftBuilder): [number, number][] {
  const [latitude, longitude] = [builder.look('latitude'), builder.look('longitude')]
  const rows =
    latitude === undefined || longitude === undefined
      ? builder.sample.points
      : builder.sample.kept.map((row) => {
          const [x, y] = [longitude, latitude].map(({ subject }) => Number(row[subject.index]))
          return x !== undefined && y !== undefined && Math.abs(x) > 1 && Number.isFinite(x + y)
            ? ([x, y] as const)
            : null
        })
  return rows.filter((point) => point !== null).map(([x, y]) => [x, y])
}

/** Finds a column whose every value is a county of the state, by name or code. */
function findCountyColumn(
  builder: DraftBuilder,
  state: string | undefined,
): { name: string; state: Finding | undefined } | undefined {
  const guess = builder.look('county')
  const texts = guess?.subject.contents.texts.slice(0, 500) ?? []
  if (guess === undefined || texts.length === 0) return undefined
  const { name } = guess.subject
  if (state !== undefined) {
    const known = texts.filter((text) => findCounty(state, text) !== undefined).length
    return known >= texts.length * 0.9 ? { name, state: undefined } : undefined
  }
  const counties = texts.map((text) =>
    /^\d{5}$/.test(text) ? countyByFips(Number(text)) : undefined,
  )
  const found = commonest(counties.map((county) => county?.state))
  if (found === undefined || found.share < 0.9) return undefined
  return { name, state: { value: found.value, certainty: 0.95, why: `${name} has its FIPS codes` } }
}

function guessCounty(builder: DraftBuilder, state: string): Finding | undefined {
  const only = findCounty(state, state === 'DC' ? '001' : '')
  if (only !== undefined)
    return { value: titleCase(only.name), certainty: 1, why: 'it has no other' }
  const votes = new Map<string, { weight: number; why: string[] }>()
  const vote = (name: string | undefined, weight: number, why: string) => {
    const county = name === undefined ? undefined : findCounty(state, name)
    if (county === undefined) return
    const own = votes.get(county.name) ?? { weight: 0, why: [] }
    votes.set(county.name, { weight: own.weight + weight, why: [...own.why, why] })
  }
  const owners = countiesOfOwners(builder, state)
  if (owners !== undefined) {
    const weight = Math.min(0.8, 0.35 + 0.1 * owners.count) * owners.share
    const names = owners.count === 1 ? 'an owner is' : `${owners.count} owners are`
    vote(owners.value, weight, `${names} called so`)
  }
  const around = countiesAround(builder, state)
  for (const { fips, share } of around) {
    const why = `${percent(share)} of the points lie in it or within 3 km`
    vote(fipsCode(fips), share / around.length, why)
  }
  const [file = '', folder = ''] = builder.sample.file.split('/').reverse()
  for (const name of namesIn(file)) vote(name, 0.62, 'the name of the file')
  for (const name of namesIn(folder)) vote(name, 0.4, 'the name of its folder')
  const city = commonest(builder.look('city')?.subject.contents.texts ?? [])
  if (city !== undefined && city.share > 0.9) vote(city.value, 0.4, `the city is ${city.value}`)
  const mail = commonest(builder.look('ownerCity')?.subject.contents.texts ?? mailCities(builder))
  if (mail !== undefined && mail.share > 0.5) {
    vote(mail.value, 0.45, `${percent(mail.share)} of the mailing addresses are in ${mail.value}`)
  }
  const best = [...votes].sort((a, b) => b[1].weight - a[1].weight)[0]
  if (best === undefined) return undefined
  const [value, { weight, why }] = best
  return { value: titleCase(value), certainty: Math.min(0.95, weight), why: why.join('; ') }
}

/** Counties of a state that have nearly all points in them or within 3 km. */
function countiesAround(builder: DraftBuilder, state: string): { fips: number; share: number }[] {
  const points = placesOf(builder).slice(0, POINTS_MAX)
  if (points.length < 3) return []
  return COUNTIES.filter((county) => county.state === state).flatMap(({ fips }) => {
    const share = points.filter((point) => isNearCounty(fips, point)).length / points.length
    return share < SPREAD ? [] : [{ fips, share }]
  })
}

function mailCities(builder: DraftBuilder): (string | undefined)[] {
  const texts = builder.look('ownerCityStateZip')?.subject.contents.texts ?? []
  return texts.map((text) => /^(.*?)[, ]+[A-Z]{2}\b/.exec(text.toUpperCase())?.[1])
}

/**
 * Finds the county in owner names, since a county owns parcels: `LANCASTER COUNTY`, `COUNTY OF
 * LANCASTER`, `LANCASTER CO HIGHWAY DEPT`.
 */
function countiesOfOwners(builder: DraftBuilder, state: string): Common | undefined {
  const found: string[] = []
  for (const field of ['ownerName1', 'ownerName2']) {
    for (const text of builder.look(field)?.subject.contents.texts ?? []) {
      const upper = text.toUpperCase()
      const name =
        /\bCOUNTY OF ([A-Z. ]+)$/.exec(upper)?.[1] ??
        /^([A-Z. ]+?),? (?:COUNTY|CNTY|CO)\b(?! INC| LLC| LP)/.exec(upper)?.[1]
      if (name !== undefined && findCounty(state, name) !== undefined) found.push(name.trim())
    }
  }
  return commonest(found)
}

function namesIn(path: string): string[] {
  const words = path
    .replace(/\.(?:csv|tsv|txt|gz|zip|json|geojson|ndjson|shp|dbf|parquet)\b/gi, '')
    .split(/[^A-Za-z]+/)
  const names = words.filter((word) => word.length > 3 && !COMMON.has(word.toLowerCase()))
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`)
  return [...pairs, ...names]
}

/** Common words in file names that are also names of counties. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'parcels parcel county data real roll sample export land lake park golden valley ' +
    'union liberty'
  ).split(/\s+/),
)

type Common = { value: string; share: number; count: number }

function commonest(values: (string | undefined)[]): Common | undefined {
  const counts = new Map<string, number>()
  let all = 0
  for (const value of values) {
    if (value === undefined || value === '') continue
    all += 1
    const key = value.toUpperCase()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0]
  return best === undefined ? undefined : { value: best[0], count: best[1], share: best[1] / all }
}

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<![a-z'’])[a-z]/g, (letter) => letter.toUpperCase())
}
