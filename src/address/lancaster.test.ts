/** Tests the engine with every situs address of a real county roll. Skipped without the roll. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { indexRoll, type RollLine } from '../../test/address-roll.ts'
import { IS_LONG } from '../../test/repetitions.ts'

const ROLL = new URL('../../../shared/data/ne-lancaster/lancaster_parcels.csv.gz', import.meta.url)
const PLACE = { state: 'NE', fips: 31_109 }

type Site = RollLine & { street: string; unit: string; recorded: string; id: number }
type Rewriting = [name: string, rewrite: (site: Site) => string | undefined]

const DIRECTIONS: Record<string, string> = {
  N: 'North',
  S: 'South',
  E: 'East',
  W: 'West',
  NE: 'Northeast',
  NW: 'Northwest',
  SE: 'Southeast',
  SW: 'Southwest',
}
const SUFFIXES: Record<string, string> = {
  ST: 'Street',
  AVE: 'Avenue',
  RD: 'Road',
  DR: 'Drive',
  LN: 'Lane',
  CT: 'Court',
  PL: 'Place',
  BLVD: 'Boulevard',
  CIR: 'Circle',
  PKWY: 'Parkway',
  TRL: 'Trail',
  TER: 'Terrace',
  BAY: 'Bay',
  HWY: 'Highway',
}

/**
 * Ten ways to write an address, and two combinations. `undefined`: the rewriting does not change
 * this line.
 */
const REWRITINGS: Rewriting[] = [
  ['as recorded', (site) => join(site.street, site.unit, ' # ')],
  [
    'ordinal without letters',
    ({ street, unit }) => changed(street, /\b(\d+)(?:ST|ND|RD|TH)\b/, '$1', unit),
  ],
  ['ordinal with letters', ({ street, unit }) => addOrdinal(street, unit)],
  [
    'direction spelled out',
    ({ street, unit }) => join(spellDirection(street), unit, ' # ', street),
  ],
  ['suffix spelled out', ({ street, unit }) => join(spellSuffix(street), unit, ' # ', street)],
  ['unit as #', ({ street, unit }) => (unit === '' ? undefined : `${street} #${unit}`)],
  ['unit as APT', ({ street, unit }) => (unit === '' ? undefined : `${street} APT ${unit}`)],
  [
    'unit as UNIT after a comma',
    ({ street, unit }) => (unit === '' ? undefined : `${street}, UNIT ${unit}`),
  ],
  [
    'unit bare, with leading zeros',
    ({ street, unit }) => (unit === '' ? undefined : `${street} APT 00${unit}`),
  ],
  ['lower case', ({ street, unit }) => join(street, unit, ' unit ')?.toLowerCase()],
  ['city appended', (site) => `${join(site.street, site.unit, ' # ')} ${site.city}`],
  [
    'city, state and ZIP appended',
    (site) => `${join(site.street, site.unit, ' # ')}, ${site.city}, NE ${site.zip}`,
  ],
  [
    'ZIP appended',
    (site) => (site.zip === '' ? undefined : `${join(site.street, site.unit, ' # ')} ${site.zip}`),
  ],
  [
    'all spelled out, lower case, with its city and without commas',
    (site) =>
      (
        `${join(spellSuffix(spellDirection(site.street)), site.unit, ' apt ')} ` +
        `${site.city} ne ${site.zip}`
      ).toLowerCase(),
  ],
]

const CHANGES: Rewriting[] = [
  [
    'number',
    ({ street, unit }) => changed(street, /^\d+/, (digits) => String(Number(digits) + 1), unit),
  ],
  [
    'number’s last digits',
    ({ street, unit }) => changed(street, /^\d+/, (digits) => `${digits}7`, unit),
  ],
  [
    'suffix',
    ({ street, unit }) =>
      changed(
        street,
        / (ST|AVE|RD|DR|LN|CT|PL|CIR|BLVD)$/,
        (_, suffix) => ` ${NEXT_SUFFIX[suffix]}`,
        unit,
      ),
  ],
  [
    'direction',
    ({ street, unit }) =>
      changed(
        street,
        /^(\d+) ([NSEW]) (?=\S+ )/,
        (_, number, from) => `${number} ${OPPOSITE[from]} `,
        unit,
      ),
  ],
  [
    'direction at the end',
    ({ street, unit }) => changed(street, / ([NSEW])$/, (_, from) => ` ${OPPOSITE[from]}`, unit),
  ],
  ['unit', ({ street, unit }) => (unit === '' ? undefined : `${street} # ${unit}9Z`)],
]
const OPPOSITE: Record<string, string> = { N: 'S', S: 'N', E: 'W', W: 'E' }
const NEXT_SUFFIX: Record<string, string> = {
  ST: 'AVE',
  AVE: 'BLVD',
  RD: 'LN',
  DR: 'CT',
  LN: 'RD',
  CT: 'DR',
  PL: 'CIR',
  CIR: 'PL',
  BLVD: 'ST',
}

function join(street: string | undefined, unit: string, between: string, before?: string): string {
  return street === undefined || street === before
    ? ''
    : unit === ''
      ? street
      : street + between + unit
}

/** Returns the street with one part changed, and its unit; `undefined` when it has no such part. */
function changed(
  street: string,
  part: RegExp,
  by: string | ((...match: string[]) => string),
  unit: string,
): string | undefined {
  const other = street.replace(part, by as string)
  return other === street ? undefined : join(other, unit, ' # ')
}

function addOrdinal(street: string, unit: string): string | undefined {
  return changed(
    street,
    / (\d+) (?=(?:ST|AVE|CT|PL|CIR)\b)/,
    (_, digits) => ` ${digits}${ending(Number(digits))} `,
    unit,
  )
}

function ending(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return 'TH'
  return ['TH', 'ST', 'ND', 'RD'][value % 10] ?? 'TH'
}

/** Spells out the direction after the number, unless it is the name: `1401 N ST`. */
function spellDirection(street: string): string {
  const words = street.split(' ')
  const direction = DIRECTIONS[words[1] ?? '']
  return direction !== undefined && words.length > 3 ? words.with(1, direction).join(' ') : street
}

function spellSuffix(street: string): string {
  const words = street.split(' ')
  const suffix = SUFFIXES[words.at(-1) ?? '']
  return suffix !== undefined && words.length > 2 ? words.with(-1, suffix).join(' ') : street
}

describe('Lancaster County, Nebraska', {
  skip: existsSync(ROLL) && IS_LONG ? false : 'npm run test:long reads ../shared/data',
}, () => {
  let sites: Site[] = []
  let lookUp: ReturnType<typeof indexRoll>
  const recorded = new Map<string, number[]>()

  before(() => {
    sites = readSites()
    lookUp = indexRoll(
      sites.map(({ line, city, zip }) => ({ line, city, zip })),
      PLACE,
    )
    for (const site of sites) {
      const ids = recorded.get(site.recorded)
      if (ids === undefined) recorded.set(site.recorded, [site.id])
      else ids.push(site.id)
    }
  })

  for (const [name, rewrite] of REWRITINGS) {
    it(`finds its own parcel or one that shares the address: ${name}`, async (test) => {
      const count = { asked: 0, found: 0, wrong: 0 }
      let missed = 0
      for (const site of sites) {
        const line = rewrite(site)
        if (line === undefined || line === '') continue
        count.asked++
        const finding = await lookUp(line)
        if (finding.outcome === 'none') {
          if (++missed < 10) test.diagnostic(`${line} found nothing`)
          continue
        }
        // Two cities have the same address, so it is ambiguous; a lookup with its city is tested
        // below.
        if (finding.outcome === 'ambiguous') {
          count.asked--
          continue
        }
        if (recorded.get(site.recorded)?.includes(finding.hit.id)) count.found++
        else {
          count.wrong++
          test.diagnostic(`${line} found ${sites[finding.hit.id]?.line}`)
        }
      }
      test.diagnostic(JSON.stringify(count))
      assert.equal(count.wrong, 0)
      assert.ok(count.found >= count.asked * 0.995, JSON.stringify(count))
    })
  }

  for (const [name, change] of CHANGES) {
    it(`finds nothing that is not recorded: ${name} changed`, async (test) => {
      const count = { asked: 0, recorded: 0, forgiven: 0, nothing: 0, wrong: 0 }
      for (const site of sites) {
        const line = change(site)
        if (line === undefined) continue
        count.asked++
        const finding = await lookUp(line)
        if (finding.outcome !== 'found') count.nothing++
        else if (describesSame(line, sites[finding.hit.id] as Site)) count.recorded++
        // docs/matching.md, rule 9: a directional that only one side has is forgiven.
        else if (finding.match === 'directional') count.forgiven++
        else {
          count.wrong++
          if (count.wrong < 20) test.diagnostic(`${line} found ${sites[finding.hit.id]?.line}`)
        }
      }
      test.diagnostic(JSON.stringify(count))
      assert.equal(count.wrong, 0)
    })
  }
})

/** Cuts street and unit from the recorded line by text alone, without the engine. */
function readSites(): Site[] {
  const rows = parse(gunzipSync(readFileSync(ROLL)), { columns: true }) as Record<string, string>[]
  const sites: Site[] = []
  for (const row of rows) {
    const line = row.SITEADDRES ?? ''
    const cut = /^(.+?), ([A-Z ]+), NE(?: +(\d{5}))?$/.exec(line)
    if (cut === null || !/^[1-9]/.test(line) || line.includes(' & ')) continue
    const [, address = '', city = '', zip = ''] = cut
    const [, street = '', unit = ''] =
      /^(.*?)(?:,? (?:UNIT|LOT|STE|APT)? ?#([\w-]+))?$/.exec(address) ?? []
    const id = sites.length
    sites.push({ line, city, zip, street, unit, id, recorded: foldRecorded(street, unit) })
  }
  return sites
}

/**
 * Folds the forms in which this roll writes one address: `58 ST` and `58TH ST`, apostrophes,
 * blanks.
 */
function foldRecorded(street: string, unit: string): string {
  const folded = street
    .toUpperCase()
    .replace(/\b(\d+)(?:ST|ND|RD|TH)\b/g, '$1')
    .replace(/\b[A-Z]+\b/g, (word) => ORDINALS[word] ?? word)
    .replace(/'/g, '')
    .replace(/[-. ]+/g, ' ')
  return `${folded.trim()}#${unit.replace(/^0+/, '')}`
}

const ORDINALS: Record<string, string> = Object.fromEntries(
  'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH'
    .split(' ')
    .map((word, index) => [word, String(index + 1)]),
)

function describesSame(asked: string, site: Site): boolean {
  const [street = '', unit = ''] = asked.split(' # ')
  const askedUnit = unit.replace(/^0+/, '')
  const [folded, own] = [foldRecorded(street, askedUnit), site.recorded]
  return folded === own || `${folded.split('#')[0]}#` === own || folded === `${own.split('#')[0]}#`
}
