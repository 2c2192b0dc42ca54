/** Drafts for real rolls, made without their mappings, held against the mappings made by hand. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { canonicalAddress } from '../../src/address/canonical.ts'
import { stripParcelId } from '../../src/base/fold.ts'
import { readTable } from '../../src/base/tables.ts'
import {
  loadMapping,
  type MappingDocument,
  readMapping,
  type Value,
} from '../../src/import/mapping/mapping.ts'
import { readSource } from '../../src/import/source.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { type Inspection, inspectFile } from '../../src/inspect/inspect.ts'
import { makeOwnerQuestion } from '../../src/owner/canonical.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { findCounty } from '../../src/regions/counties.ts'
import { csvRow } from '../../src/sample/write.ts'
import type { ParcelReader, StoredParcel } from '../../src/store/store.ts'
import { IS_LONG } from '../repetitions.ts'
import { importRoll, makeFolder, openLoaded, TODAY } from './small-roll.ts'

const DATA = new URL('../../../shared/data/', import.meta.url).pathname

/**
 * The rolls; `every`: of large ones each so manieth row, from beginning to end, as many as
 * `inspect` looks at. Each with the fields that a draft must have right; `state` and `county` as an
 * operator would give them.
 */
const ROLLS = [
  {
    file: 'ne-lancaster/lancaster_parcels.csv.gz',
    every: 30,
    mapping: 'ne-lancaster',
    county: ['NE', 'Lancaster'],
    right:
      'parcelId ownerName1 addressFull ownerAddressLine1 ownerCity totalAssessedValue ' +
      'buildings.yearBuilt',
  },
  {
    file: 'ne-lancaster/shapefiles/0109.zip',
    every: 1,
    mapping: 'ne-lancaster',
    county: ['NE', 'Lancaster'],
    right:
      'parcelId ownerName1 addressFull ownerAddressLine1 ownerCity totalAssessedValue ' +
      'buildings.yearBuilt',
  },
  {
    file: 'pa-philadelphia-opa/opa_properties_public_sample.csv',
    every: 2,
    mapping: 'pa-philadelphia-opa',
    county: ['PA', 'Philadelphia'],
    right:
      'parcelId ownerName1 ownerName2 address ownerAddressLine1 ownerCityStateZip ' +
      'totalMarketValue taxableValue buildings.yearBuilt',
  },
  {
    file: 'ny-manhattan-pluto/MN.csv.zip',
    every: 12,
    mapping: 'ny-pluto',
    county: ['NY', 'New York'],
    right:
      'parcelId ownerName1 address totalAssessedValue assessedLandValue sourceRollYear ' +
      'buildings.yearBuilt',
  },
  {
    file: 'ma-easthampton-massgis/parcels_joined.csv',
    every: 2,
    mapping: 'ma-massgis-l3',
    county: ['MA', 'Hampshire'],
    right:
      'parcelId ownerName1 address ownerAddressLine1 ownerCity totalAssessedValue ' +
      'assessedLandValue assessedBuildingValue assessedYear buildings.yearBuilt',
  },
  {
    file: 'oh-seneca/Parcels.csv',
    every: 1,
    mapping: 'oh-seneca',
    county: ['OH', 'Seneca'],
    right: 'parcelId ownerName1 ownerName2 ownerAddressLine1 ownerCityStateZip acres',
  },
] as const

/**
 * Of the other columns that the mapping made by hand uses for fields that a draft knows, the share
 * that a draft must use too.
 */
const SHARE = 0.8

/** Fields of rolls of one publisher, such as floor area ratios, are drafted by nobody. */
const DRAFTED = new Set(
  [
    ...readTable('field-names.txt')
      .join('\n')
      .matchAll(/^(\S+?)[+*]* \|/gm),
  ].map(([, field]) => field ?? ''),
)

for (const { file, every, mapping: name, county, right } of ROLLS) {
  const whole = join(DATA, file)
  const skip = existsSync(whole) ? false : `${file} is not here`
  const isLarge = every > 2 && !IS_LONG
  test(`a draft of ${file} has what matters right`, {
    skip: isLarge ? 'npm run test:long reads large rolls' : skip,
  }, async () => {
    const path = await cutFile(whole, every)
    const byHand = columnsOf(loadMapping(name))
    const inspection = await inspectFile(path, { today: TODAY, mappings: [] })
    const drafted = columnsOf(draftOf(inspection))
    for (const field of right.split(' ')) {
      const [own, hand] = [drafted.get(field), byHand.get(field)]
      assert.ok(
        own?.some((column) => hand?.includes(column)),
        `${field}: ${own}, by hand ${hand}`,
      )
    }
    const used = new Set([...drafted.values()].flat())
    const header = new Set(inspection.columns.map((column) => column.name.toUpperCase()))
    const known = [...byHand].flatMap(([field, columns]) => (DRAFTED.has(field) ? columns : []))
    const asked = [...new Set(known)].filter((column) => header.has(column.toUpperCase()))
    assert.ok(asked.length > 4, `${asked}`)
    const found = asked.filter((column) => used.has(column))
    const lacking = asked.filter((column) => !used.has(column))
    assert.ok(
      found.length >= asked.length * SHARE,
      `${found.length} of ${asked.length}, without ${lacking}`,
    )
  })

  test(`the draft of ${file} loads, and answers the same`, {
    skip: IS_LONG ? skip : 'npm run test:long loads whole drafts',
    timeout: 300_000,
  }, async (t) => {
    const folder = makeFolder(t)
    const cut = await cutFile(whole, every)
    const [state, countyName] = county
    const hints = { state, county: countyName, rollYear: 2024 }
    const { draft } = await inspectFile(cut, {
      today: TODAY,
      mappings: [],
      state,
      county: countyName,
    })
    const byHand = loadMapping(name)
    const wide = byHand.fields.county === undefined ? hints : { rollYear: 2024 }
    await importRoll(join(folder, 'hand'), [cut], { mapping: byHand, ...wide })
    const mapping = readMapping(showDraft(draft), 'the draft')
    await importRoll(join(folder, 'draft'), [cut], { mapping, ...hints })
    const fips = findCounty(state, countyName)?.fips ?? 0
    const hand = openLoaded(t, join(folder, 'hand'))
    const own = openLoaded(t, join(folder, 'draft'))
    const asked = await someParcels(hand, state, fips)
    assert.ok(asked.length > 20)
    for (const parcel of asked) {
      const wanted = await answers(hand, parcel, state, fips)
      assert.deepEqual(await answers(own, parcel, state, fips), wanted)
      assert.ok(wanted.byId.length > 0)
    }
  })
}

function draftOf({ draft }: Inspection): MappingDocument {
  return readMapping(showDraft(draft), 'the draft')
}

/** The columns that a mapping reads, by the path of the field. */
function columnsOf(mapping: MappingDocument): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (path: string, value: Value) => {
    found.set(path, [...(found.get(path) ?? []), ...columnsIn(value)])
  }
  for (const [name, value] of Object.entries(mapping.fields)) add(name, value)
  for (const group of ['buildings', 'transfers'] as const) {
    for (const set of mapping[group] ?? []) {
      for (const [name, value] of Object.entries(set)) add(`${group}.${name}`, value)
    }
  }
  for (const value of mapping.alternateParcelIds ?? []) add('alternateParcelIds', value)
  if (mapping.point !== undefined) {
    add('point', mapping.point.x)
    add('point', mapping.point.y)
  }
  return found
}

function columnsIn(value: Value): string[] {
  if (typeof value === 'string') return [value]
  const parts = [...(value.join ?? []), ...(value.first ?? []), ...(value.sum ?? [])]
  const unit = typeof value.unit === 'object' ? columnsIn(value.unit) : []
  return [value.column ?? []].flat().concat(parts.flatMap(columnsIn), unit)
}

const FOLDER = mkdtempSync(join(tmpdir(), 'platbook-rolls-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))
const cuts = new Map<string, string>()

/** Every so manieth row of a file of text; what is small stays as it is. */
async function cutFile(path: string, every: number): Promise<string> {
  if (every === 1) return path
  const known = cuts.get(path)
  if (known !== undefined) return known
  const rows: string[] = []
  let at = 0
  for await (const batch of readSource([path], { geometry: false })) {
    if (rows.length === 0) rows.push(csvRow(batch.columns))
    for (const row of batch.rows) {
      if (at % every === 0) rows.push(csvRow(row))
      at += 1
    }
  }
  const cut = join(FOLDER, `${cuts.size}.csv`)
  writeFileSync(cut, rows.join(''))
  cuts.set(path, cut)
  return cut
}

/** Parcels from all over what was loaded. */
async function someParcels(reader: ParcelReader, state: string, fips: number): Promise<Parcel[]> {
  const filter = { state, fips, assignedOnly: false }
  const page = await reader.page(
    filter,
    { afterId: 0, skip: 0, limit: 4000 },
    performance.now() + 60_000,
  )
  const step = Math.max(1, Math.floor(page.parcels.length / 60))
  return page.parcels
    .filter((_, at) => at % step === 0)
    .map(({ fieldValues }) => decodeParcel(fieldValues))
}

/**
 * What three lookups of a parcel's own ID, address and first owner answer: IDs of parcels, and what
 * stands in the first.
 */
async function answers(reader: ParcelReader, parcel: Parcel, state: string, fips: number) {
  const byId = await reader.byParcelId(state, fips, stripParcelId(parcel.parcelId))
  const key = canonicalAddress(parcel.address ?? '', { state, fips }).key
  const hits = key === '' ? [] : await reader.bySitusKey(state, key)
  const byAddress = await reader.byIds(
    state,
    hits.map(({ id }) => id),
  )
  const question = makeOwnerQuestion({ nameContains: parcel.ownerName ?? '-', fuzzy: false })
  const search = { state, fips, skip: 0, limit: 1000, deadline: performance.now() + 60_000 }
  const owners = question === undefined ? [] : (await reader.byOwner({ ...search, question })).hits
  const byOwner = await reader.byIds(
    state,
    owners.map(({ id }) => id),
  )
  const ids = (found: StoredParcel[]) =>
    found.map(({ fieldValues }) => decodeParcel(fieldValues).parcelId).sort()
  const first = byId[0] === undefined ? undefined : decodeParcel(byId[0].fieldValues)
  return {
    byId: ids(byId),
    byAddress: ids(byAddress),
    byOwner: ids(byOwner),
    address: first?.address,
    unit: first?.unitNumberStripped,
    owners: [first?.ownerName, first?.ownerName2],
    mail: [first?.ownerStreet, first?.ownerCity, first?.ownerZipCode],
    values: [first?.totalAssessedValue, first?.totalMarketValue],
    yearBuilt: first?.buildings[0]?.actualYearBuilt ?? null,
  }
}
