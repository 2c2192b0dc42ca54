import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-character.ts'
import { BARE_PARCEL, FULL_PARCEL } from '../../test/parcel.ts'
import { repetitions } from '../../test/repetitions.ts'
import { V2_KEYS } from '../record/fields.ts'
import { layoutOf } from '../record/layout.ts'
import { type Parcel, STORED_FIELDS, type Transfer } from '../record/parcel.ts'
import { FLAT_SCHEMA, NESTED_SCHEMA } from '../record/schema.ts'
import { carryOver, decodeParcel, encodeParcel, propertyIdOf } from '../record/stored.ts'
import { listIds, partOfFlat, renderList, renderParcel, shownTo } from './render.ts'

const LOADED_AT = Date.UTC(2026, 0, 2) / 1000

function render(parcel: Parcel, layout: 'nested' | 'flat') {
  const stored = { id: 255, loadedAt: LOADED_AT, fieldValues: encodeParcel(parcel), geometry: null }
  return JSON.parse(renderParcel(stored, layout))
}

test('every field survives being kept', () => {
  for (const parcel of [FULL_PARCEL, BARE_PARCEL]) {
    assert.deepEqual(decodeParcel(encodeParcel(parcel)), parcel)
  }
})

test('any text survives being kept', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.dictionary(fc.string(), fc.string()),
      (text, extra) => {
        const parcel = { ...FULL_PARCEL, ownerName: text, alternateAddresses: [text], extra }
        // An empty text means the same as null.
        const ownerName = text === '' ? null : text
        const kept = { ...parcel, ownerName, extra: { ...extra } }
        assert.deepEqual(decodeParcel(encodeParcel(parcel)), kept)
        const nested = render(parcel, 'nested')
        assert.equal(nested.propertyIdentification.currentOwner.ownerName, ownerName)
      },
    ),
  )
})

test('every field of a parcel is kept by some stored field', () => {
  const kept = new Set<string>(STORED_FIELDS.map(([name]) => name))
  assert.deepEqual(
    Object.keys(FULL_PARCEL).filter((name) => !kept.has(name)),
    [],
  )
})

test('the nested layout shows every stored value under its path', () => {
  const nested = render(FULL_PARCEL, 'nested')
  assert.equal(nested.id, '0000000000000000000000ff')
  const flatKeys = new Map<string, unknown>()
  const visit = (value: object) => {
    for (const [key, inner] of Object.entries(value)) {
      flatKeys.set(key, inner)
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) visit(inner)
    }
  }
  visit(nested)
  const renamed: Record<string, string> = { sourceName: 'name', sourceLicense: 'license' }
  const shownOtherwise = new Set([
    ...['fips', 'municipality', 'extra', 'ownerZipCodePlusFour'],
    ...['ownerFirstName', 'ownerLastName'],
  ])
  for (const [name, value] of Object.entries(FULL_PARCEL)) {
    if (shownOtherwise.has(name)) continue
    assert.deepEqual(flatKeys.get(renamed[name] ?? name), value, name)
  }
  assert.deepEqual(nested.extra, FULL_PARCEL.extra)
  assert.deepEqual([nested.liens, nested.foreclosures], [[], []])
})

test('what follows from other fields is derived alike in both layouts', () => {
  const nested = render(FULL_PARCEL, 'nested')
  const flat = render(FULL_PARCEL, 'flat')
  const expected = {
    propertyId: '25015-EASTBROOK-07-09.123/0101 "A"',
    state: 'MA',
    county: 'HAMPSHIRE',
    fipsState: '25',
    fipsCounty: '015',
    unitNumber: 'APT 2B',
    addressFull: '12-14 N MILL POND RD SE APT 2B, EASTBROOK, MA 01027',
  }
  const located = { ...nested.propertyIdentification, ...nested.propertyLocation }
  for (const [name, value] of Object.entries(expected)) {
    assert.equal(located[name], value, `nested ${name}`)
    assert.equal(flat[name], value, `flat ${name}`)
  }
  assert.equal(nested.propertyIdentification.parcelIdNormalized, '07091230101A')
  assert.equal(flat.parcelIdStripped, '07091230101A')
  assert.equal(nested.source.loadedAt, '2026-01-02T00:00:00.000Z')
  assert.equal(flat.updatedAt, '2026-01-02T00:00:00.000Z')
})

test('alias keys for clients have the same values', () => {
  const flat = render(FULL_PARCEL, 'flat')
  const nested = render(FULL_PARCEL, 'nested')
  const same = {
    siteId: '255',
    realieParcelId: flat.propertyId,
    state_parcelId: 'MA-07-09.123/0101 "A"',
    state_parcelIdSTD: 'MA-07091230101A',
    lastUpdated: flat.updatedAt,
    addressLine1: flat.address,
    ownerStreet: flat.ownerAddressLine1,
    livingArea: flat.buildingArea,
    cityUSPS: flat.city,
    addressFullUSPS: flat.addressFull,
    salePriceLastTransfer: 275000,
    assessorSalePrice: 275000,
    assessorSaleRecordingDate: '20190509',
    ownerZipCodePlusFour: '01027-1234',
    deedAcres: flat.acres,
    lotSizeArea: flat.landArea,
    mailingAddress: flat.ownerAddressLine1,
    mailerAddress: flat.ownerAddressLine1,
    mailingCity: flat.ownerCity,
    mailingState: flat.ownerState,
    mailingZip5: flat.ownerZipCode,
    saleCode: flat.saleQualificationCode,
    countyUSPS: flat.county,
    addressFormal: '12-14 N MILL POND ROAD SE',
  }
  for (const [name, value] of Object.entries(same)) assert.deepEqual(flat[name], value, name)
  const [assessment] = flat.assessments
  assert.deepEqual(
    [assessment.year, assessment.assessedYear, assessment.marketValueYear, assessment.taxYear],
    [2025, 2024, 2025, 2023],
  )
  assert.deepEqual([assessment.taxValue, assessment.totalLandValue], [4321.5, 100000])
  const { assessedYear, marketValueYear, taxYear } = nested.assessments[0]
  assert.deepEqual([assessedYear, marketValueYear, taxYear], [2024, 2025, 2023])
  assert.deepEqual(nested.buildings, nested.buildingInformation.buildings)
  const { parcelId, latitude, longitude, realieParcelId, lastUpdated } = nested
  assert.deepEqual(
    { parcelId, latitude, longitude, realieParcelId, lastUpdated },
    {
      parcelId: flat.parcelId,
      latitude: flat.latitude,
      longitude: flat.longitude,
      realieParcelId: flat.propertyId,
      lastUpdated: flat.updatedAt,
    },
  )
  const { state, county, addressLine1, addressUnit } = nested.propertyLocation
  assert.deepEqual(
    { state, county, addressLine1, addressUnit },
    {
      state: 'MA',
      county: 'HAMPSHIRE',
      addressLine1: flat.address,
      addressUnit: flat.addressUnit,
    },
  )
  assert.equal(nested.propertyIdentification.currentOwner.ownerZipCodePlusFour, '1234')
  const ml = { value: null, low: null, high: null }
  assert.deepEqual(nested.realieValuation, { ml, comp: { value: null } })
})

test('the flat layout joins owners, sums buildings and shows the newest transfer', () => {
  const flat = render(FULL_PARCEL, 'flat')
  const expected = {
    _id: '0000000000000000000000ff',
    ownerName: 'QUILLON, MARA & THEO; QUILLON FAMILY TRUST',
    ownershipStartDate: '20190507',
    ownerAddressFull: '12 MILL POND RD APT 2B, EASTBROOK, MA 01027',
    street: 'N MILL POND RD SE',
    addressUnit: '12-14 N MILL POND RD SE APT 2B',
    location: { type: 'Point', coordinates: [-72.668, 42.2667] },
    buildingArea: 2100,
    yearBuilt: 1992,
    effectiveYearBuilt: null,
    stories: 1.5,
    totalBedrooms: 5,
    totalBathrooms: 3.5,
    constructionType: 'WOOD FRAME',
    garage: true,
    garageCount: 2,
    fireplace: true,
    pool: true,
    secTwnRng: '12-4N-9E',
    transferDate: '20190507',
    transferDateObject: '2019-05-07T00:00:00.000Z',
    transferPrice: 275000,
    recordingDate: '20190509',
    transferDocNum: '2019-00123',
    taxValue: 4321.5,
    modelValue: null,
    LTVPurchase: null,
  }
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(flat[name], value, name)
  assert.equal(flat.transfers.length, 2)
  assert.equal(flat.transfers[1].transferDate, '20010102')
})

test('the purchase is the newest transfer with a price above 0', () => {
  const [newest, older] = FULL_PARCEL.transfers as [Transfer, Transfer]
  const dated = (transferDate: string, transferPrice: number | null): Transfer => {
    return { ...older, transferDate, recordingDate: transferDate, transferPrice }
  }
  const cases: [Transfer[], string | null][] = [
    [[newest, older], '20190507'],
    [[dated('2024-01-01', 0), newest], '20190507'],
    [[dated('2024-01-01', null), dated('2023-01-01', 0), dated('2022-03-04', 1)], '20220304'],
    [[dated('2024-01-01', null), older], null],
    [[older], null],
    [[], null],
  ]
  for (const [transfers, date] of cases) {
    const flat = render({ ...FULL_PARCEL, transfers }, 'flat')
    assert.equal(flat.purchaseSaleDate, date)
    assert.equal(flat.transferDate, transfers[0]?.transferDate?.replaceAll('-', '') ?? null)
  }
})

test('v2 reads also have the names of the transfer before the newest one', () => {
  const second = { ...(FULL_PARCEL.transfers[0] as Transfer), transferDate: '2011-02-03' }
  const parcel = { ...FULL_PARCEL, transfers: [FULL_PARCEL.transfers[0] as Transfer, second] }
  const facts = { responseShape: 'flat', useCodes: 'contract', emptyFields: 'null' } as const
  const read = (one: Parcel, dataReads: 'v2' | 'v3') => {
    const fieldValues = encodeParcel(one)
    const stored = { id: 255, loadedAt: LOADED_AT, fieldValues, geometry: null }
    return JSON.parse(renderParcel(stored, shownTo({ ...facts, dataReads })))
  }
  const v2 = read(parcel, 'v2')
  assert.partialDeepStrictEqual(v2, {
    pastPriceSale: 275000,
    pastPriceTransfer: 275000,
    pastSaleDateTransfer: '20110203',
    pastRecoDateSale: '20190509',
    pastDocumentTypeSale: 'WD',
    priorSalesDate: '20110203',
    saleDocumentTypeLastSale: 'WD',
    saleBookLastSale: '13001',
    owner1FirstName: 'MARA',
    owner1LastName: 'QUILLON',
  })
  const names = Object.keys(V2_KEYS)
  const alone = read({ ...parcel, transfers: parcel.transfers.slice(0, 1) }, 'v2')
  assert.deepEqual([alone.pastPriceSale, alone.pastSaleDateTransfer], [null, null])
  const bare = read(BARE_PARCEL, 'v2')
  assert.deepEqual([...new Set(names.map((name) => bare[name]))], [null])
  for (const name of names) assert.ok(!(name in read(parcel, 'v3')), name)
})

test('the flat layout shows every polygon as a MultiPolygon, and a street type as a word', () => {
  const ring = '[[0,0],[0,1],[1,1],[0,0]]'
  const fieldValues = encodeParcel({ ...FULL_PARCEL, streetType: 'AVE', streetNumberHigh: null })
  const show = (geometry: string | null, layout: 'flat' | 'nested') =>
    JSON.parse(renderParcel({ id: 1, loadedAt: LOADED_AT, fieldValues, geometry }, layout))
  const polygon = `{"type":"Polygon","coordinates":[${ring}]}`
  const several = { type: 'MultiPolygon', coordinates: [[JSON.parse(ring)]] }
  const flat = show(polygon, 'flat')
  assert.deepEqual(flat.geometry, several)
  assert.equal(flat.addressFormal, '12 N MILL POND AVENUE SE')
  assert.deepEqual(show(JSON.stringify(several), 'flat').geometry, several)
  assert.equal(show(null, 'flat').geometry, null)
  assert.deepEqual(show(polygon, 'nested').propertyLocation.geometry, JSON.parse(polygon))
  const none = { ...FULL_PARCEL, streetType: null, streetNumberHigh: null }
  assert.equal(render(none, 'flat').addressFormal, '12 N MILL POND SE')
  assert.equal(
    render({ ...none, streetType: 'WEG' }, 'flat').addressFormal,
    '12 N MILL POND WEG SE',
  )
  assert.equal(render({ ...none, streetNumber: null }, 'flat').addressFormal, null)
})

test('records that leave out empty fields have all others, in the same order', () => {
  const facts = { useCodes: 'contract', emptyFields: 'omit' } as const
  const names = STORED_FIELDS.map(([name]) => name).filter((name) => name !== 'fips')
  const geometries = [null, '{"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[0,0]]]}']
  fc.assert(
    fc.property(
      fc.subarray(names.filter((name) => name !== 'parcelId')),
      fc.constantFrom(...geometries),
      fc.boolean(),
      (blank, geometry, hasCounts) => {
        const none = Object.fromEntries(blank.map((name) => [name, BARE_PARCEL[name]]))
        const fieldValues = encodeParcel({ ...FULL_PARCEL, ...none })
        const owned = hasCounts ? { parcels: 3, residential: 2, other: 0 } : null
        const stored = { id: 255, loadedAt: LOADED_AT, fieldValues, geometry, owned }
        for (const [dataReads, responseShape] of SHAPES) {
          const show = (emptyFields: 'null' | 'omit') =>
            renderParcel(stored, shownTo({ ...facts, dataReads, responseShape, emptyFields }))
          assert.equal(show('omit'), JSON.stringify(dropNulls(JSON.parse(show('null')))))
        }
      },
    ),
    { numRuns: repetitions(12) },
  )
})

const SHAPES = [
  ['v3', 'flat'],
  ['v3', 'nested'],
  ['v2', 'flat'],
] as const

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (typeof value !== 'object' || value === null) return value
  const there = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(there.map(([name, one]) => [name, dropNulls(one)]))
}

test('a bare parcel shows null, and lists that are empty', () => {
  const flat = render(BARE_PARCEL, 'flat')
  const nested = render(BARE_PARCEL, 'nested')
  for (const name of ['ownerName', 'address', 'addressFull', 'location', 'garage', 'yearBuilt']) {
    assert.equal(flat[name], null, name)
  }
  assert.deepEqual([flat.transfers, flat.altParcelIds, flat.extra], [[], [], {}])
  assert.deepEqual(nested.buildingInformation.buildings, [])
  assert.equal(flat.addressAssigned, false)
  assert.equal(flat.propertyId, '55025-1')
})

test('an empty text is nothing, alone and among others', () => {
  const flat = render({ ...FULL_PARCEL, ownerName: '', city: '', unitType: '' }, 'flat')
  assert.equal(flat.ownerName, 'QUILLON FAMILY TRUST')
  assert.equal(flat.ownerName1, null)
  assert.equal(flat.addressFull, '12-14 N MILL POND RD SE 2B, MA 01027')
})

test('both layouts have every key always and fit their schemas', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
  const schemas = { nested: ajv.compile(NESTED_SCHEMA), flat: ajv.compile(FLAT_SCHEMA) }
  for (const layout of ['nested', 'flat'] as const) {
    for (const parcel of [FULL_PARCEL, BARE_PARCEL]) {
      const check = schemas[layout]
      assert.ok(check(render(parcel, layout)), JSON.stringify(check.errors))
    }
  }
})

test('earlier roll years are carried into a newer roll, newest first', () => {
  const year = (value: number) => ({ ...FULL_PARCEL.assessments[0], year: value }) as never
  const old = encodeParcel({ ...FULL_PARCEL, assessments: [year(2024), year(2023)] })
  const fresh = { ...FULL_PARCEL, assessments: [year(2025)] }
  const years = decodeParcel(carryOver(old, encodeParcel(fresh), false)).assessments
  assert.deepEqual(
    years.map((entry) => entry.year),
    [2025, 2024, 2023],
  )
  assert.equal(carryOver(encodeParcel(fresh), encodeParcel(fresh), false), encodeParcel(fresh))
})

test('a part of the flat layout shows its fields as the whole layout does, and no other', () => {
  const tricky = { ...FULL_PARCEL, ownerName: 'A "taxValue":9, B\\', legalDesc: 'x","city":"y' }
  for (const parcel of [FULL_PARCEL, BARE_PARCEL, tricky]) {
    const stored = { id: 7, fieldValues: encodeParcel(parcel), loadedAt: LOADED_AT, geometry: null }
    const whole = JSON.parse(renderParcel(stored, 'flat')) as Record<string, unknown>
    const names = Object.keys(whole)
    assert.ok(names.length > 100)
    assert.deepEqual(JSON.parse(renderParcel(stored, partOfFlat(new Set(names)))), whole)
    const some = new Set(['transfers', 'city', 'propertyId', 'taxValue', 'nobody'])
    const picked = names.filter((name) => some.has(name)).map((name) => [name, whole[name]])
    const shown = JSON.parse(renderParcel(stored, partOfFlat(some)))
    assert.deepEqual(Object.entries(shown), picked)
  }
})

test('nested is shown only for the nested shape on v3 reads', () => {
  assert.equal(layoutOf({ dataReads: 'v3', responseShape: 'nested' }), 'nested')
  assert.equal(layoutOf({ dataReads: 'v2', responseShape: 'nested' }), 'flat')
  assert.equal(layoutOf({ dataReads: 'v3', responseShape: 'flat' }), 'flat')
})

test('the property IDs of a list are those of its records, a line each', () => {
  const text = fc.string({ unit: anyCharacter, minLength: 1 })
  const record = fc.record({
    parcelId: fc.oneof(text, fc.constantFrom('a"b', 'a\\nb', 'A\\', '1\n2', 'Ñ', '\u2028')),
    municipality: fc.option(text),
    fips: fc.constantFrom(1001, 55025),
  })
  const check = (records: Partial<Parcel>[], layout: 'flat' | 'nested') => {
    const stored = records.map((own, id) => {
      const fieldValues = encodeParcel({ ...BARE_PARCEL, ...own })
      return { id, loadedAt: 0, fieldValues, geometry: null }
    })
    renderList(stored, layout, '{}')
    const each = stored.map(({ fieldValues }) => propertyIdOf(fieldValues))
    assert.equal(listIds(), each.join('\n'))
  }
  fc.assert(fc.property(fc.array(record), fc.constantFrom('flat', 'nested'), check))
  check([], 'flat')
  check(
    Array.from({ length: 3000 }, (_, at) => ({ parcelId: `${at}` })),
    'flat',
  )
})
