/**
 * Faults found by a third set of ten invented rolls: exports of assessors' programs and databases,
 * and sheets made by hand.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { draftDocument, showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import {
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from '../import/small-roll.ts'
import { type Cells, inventTruth, type Truth, writeTable } from './manners/truth.ts'

const TOWNS = [
  { city: 'MILLPORT', zip: '97630', municipality: 'MILLPORT TWP' },
  { city: 'HOLLOW', zip: '97635', municipality: 'HOLLOW TWP' },
]
const PLACE = { state: 'OR', county: 'Lake' }
const FIPS = 41_037
const rows = inventTruth('third ten', 'OR', TOWNS, 60)
const idOf = ({ at }: Truth) => `58-${String(at * 31).padStart(6, '0')}`
const nameOf = ({ surname, given }: Truth) => `${surname} ${given}`
const BASE: Cells = { PARCEL_ID: idOf, OWNER: nameOf, SITUS: ({ line }) => line }

function writeRows(t: TestContext, columns: Cells, each = (row: Truth) => [row]): string {
  return write(makeFolder(t), 'roll.csv', writeTable(rows.flatMap(each), columns))
}

async function draftOf(t: TestContext, columns: Cells) {
  const file = writeRows(t, columns)
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...PLACE })
  return draftDocument(draft)
}

/** Loads a roll by its draft. */
async function loadByDraft(t: TestContext, file: string) {
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...PLACE })
  const data = makeFolder(t)
  await importRoll(data, [file], { mapping: readMapping(showDraft(draft), 'the draft'), ...PLACE })
  const reader = openLoaded(t, data)
  return (row: Truth) => readParcel(reader, 'OR', FIPS, idOf(row).replaceAll(/\D/g, ''))
}

test("OCITYNAME beside CITYNAME is the owner's, and CITYNAME the site's", async (t) => {
  const { fields, buildings } = await draftOf(t, {
    PARID: idOf,
    OWN1: nameOf,
    ADRNO: ({ number }) => number,
    ADRSTR: ({ street }) => street,
    ADRSUF: ({ type }) => type,
    CITYNAME: ({ town }) => town.city,
    ZIP1: ({ town }) => town.zip,
    OADDR1: ({ mailLine }) => mailLine,
    OCITYNAME: ({ mailCity }) => mailCity,
    OSTATECODE: ({ mailState }) => mailState,
    OZIP1: ({ mailZip }) => mailZip,
    RMBED: ({ at }) => (at % 4) + 1,
    FIXBATH: ({ at }) => (at % 3) + 1,
    FIXHALF: ({ at }) => at % 2,
    SFLA: ({ at }) => 900 + at * 7,
  })
  assert.deepEqual(fields?.city, { column: 'CITYNAME' })
  assert.deepEqual(fields?.zipCode, { column: 'ZIP1' })
  assert.deepEqual(fields?.ownerCity, { column: 'OCITYNAME' })
  assert.deepEqual(fields?.ownerZipCode, { column: 'OZIP1' })
  assert.deepEqual(buildings?.[0]?.totalBedrooms, { column: 'RMBED' })
  assert.deepEqual(buildings?.[0]?.buildingArea, { column: 'SFLA' })
  assert.deepEqual(buildings?.[0]?.totalBathrooms, {
    sum: ['FIXBATH', { column: 'FIXHALF', times: 0.5 }],
  })
})

test('short names of assessed values, class codes, sales and baths', async (t) => {
  const { fields, buildings, transfers } = await draftOf(t, {
    ...BASE,
    PCC1: ({ use }) => use.code,
    PCCDesc: ({ use }) => use.words,
    SaleDt: ({ sold }) => sold,
    SalePr: ({ price }) => price,
    AssLand: ({ land }) => land,
    AssBldg: ({ building }) => building,
    AssTotal: ({ total }) => total,
    Grassland: ({ at }) => at * 900,
    NumFull: ({ at }) => (at % 3) + 1,
    NumHalf: ({ at }) => at % 2,
  })
  assert.deepEqual(fields?.useCodeLocal, { column: 'PCC1' })
  assert.partialDeepStrictEqual(fields?.useCode, {
    column: 'PCCDesc',
    codes: { DUPLEX: '1101', RESERVOIR: null },
  })
  assert.deepEqual(fields?.useDescription, { column: 'PCCDesc' })
  assert.deepEqual(fields?.assessedLandValue, { column: 'AssLand' })
  assert.deepEqual(fields?.assessedBuildingValue, { column: 'AssBldg' })
  assert.deepEqual(fields?.totalAssessedValue, { column: 'AssTotal' })
  assert.deepEqual(transfers?.[0]?.transferPrice, { column: 'SalePr' })
  assert.deepEqual(buildings?.[0]?.totalBathrooms, {
    sum: ['NumFull', { column: 'NumHalf', times: 0.5 }],
  })
})

test("Assm't is assessed, acres have their unit, book and page are in one column", async (t) => {
  const parcel = await loadByDraft(
    t,
    writeRows(t, {
      'Map No.': idOf,
      'Name of Owner': nameOf,
      'Location of Property': ({ line }) => line,
      Kind: ({ use }) => (use.residential ? 'House & Lot' : 'Store'),
      Acres: ({ at }) => (at % 2 === 0 ? `${at + 1}.25 ac.` : `${at + 1}.25`),
      "Assm't Land": ({ land }) => land,
      "Assm't Bldgs": ({ building }) => building,
      "Assm't Total": ({ total }) => total,
      Exempt: ({ at }) => (at % 2 === 0 ? '$10,000 ' : '$- '),
      'Date of Deed': ({ sold }) => sold,
      'Bk/Pg': ({ at }) => (at % 5 === 0 ? '/' : `${at + 300}/${at + 7}`),
      Stories: ({ at }) => (at % 2 === 0 ? '1 1/2 Stories' : '2 Stories'),
    }),
  )
  for (const row of rows.slice(0, 12)) {
    const { acres, assessedLandValue, assessedBuildingValue, ...rest } = await parcel(row)
    assert.equal(acres, row.at + 1.25)
    assert.deepEqual([assessedLandValue, assessedBuildingValue], [row.land, row.building])
    assert.equal(rest.residential, row.use.residential)
    assert.equal(rest.exemptionAmount, row.at % 2 === 0 ? 10_000 : 0)
    const [deed] = rest.transfers
    const isKnown = row.at % 5 !== 0
    assert.equal(deed?.book, isKnown ? String(row.at + 300) : null)
    assert.equal(deed?.page, isKnown ? String(row.at + 7) : null)
    assert.equal(rest.buildings[0]?.stories, row.at % 2 === 0 ? 1.5 : 2)
  }
})

test('an envelope in one value: names, street and place on lines of their own', async (t) => {
  const streetOf = ({ at, mailLine }: Truth) =>
    at % 6 === 0 ? `ROE MARY\nC/O DOE AGENCY\n${mailLine}` : mailLine
  const parcel = await loadByDraft(
    t,
    writeRows(t, {
      'Parcel ID': idOf,
      'Property Address': ({ line, town }) => `${line}, ${town.city}, OR ${town.zip}`,
      'Sec/Twp/Rng': ({ at }) => `${(at % 36) + 1}-83-24`,
      'Brief Tax Description': ({ lot }) => `HOLLOW ADDN LOT ${lot}`,
      Class: ({ use }) => (use.residential ? 'R - Residential' : 'C - Commercial'),
      'Deed Holder': nameOf,
      'Mailing Address': (row) =>
        `${nameOf(row)}\n${streetOf(row)}\n${row.mailCity} ${row.mailState} ${row.mailZip}`,
      'Assessed Land Value': ({ land }) => `$${land}`,
      'Assessed Dwelling Value': ({ at, building }) => (at % 3 === 0 ? 0 : building),
      'Assessed Building Value': ({ at, building }) => (at % 3 === 0 ? building : 0),
      'Total Assessed Value': ({ land, building }) => land + building,
    }),
  )
  for (const row of rows.slice(0, 14)) {
    const found = await parcel(row)
    assert.equal(found.ownerStreet, row.mailLine)
    assert.deepEqual(
      [found.ownerCity, found.ownerState, found.ownerZipCode],
      [row.mailCity, row.mailState, row.mailZip],
    )
    assert.equal(found.careOf, row.at % 6 === 0 ? 'DOE AGENCY' : null)
    assert.deepEqual([found.section, found.township], [String((row.at % 36) + 1), '83'])
    assert.equal(found.legalDescription, `HOLLOW ADDN LOT ${row.lot}`)
    assert.equal(found.localUseCode, row.use.residential ? 'R' : 'C')
    assert.equal(found.assessedBuildingValue, row.building)
  }
})

test('rows of one parcel: the primary party is first owner; joined words are read', async (t) => {
  const parcel = await loadByDraft(
    t,
    writeRows(
      t,
      {
        pin: idOf,
        legal_party: ({ surname, given, lot }) => `${surname} ${lot === -1 ? 'OPAL' : given}`,
        is_primary: ({ lot }) => (lot === -1 ? 'f' : 't'),
        mail_line1: ({ mailLine }) => mailLine,
        mail_city: ({ mailCity }) => mailCity,
        mail_state: ({ mailState }) => mailState,
        mail_postal: ({ mailZip }) => mailZip,
        situs_full: ({ line }) => line,
        prop_class_descr: ({ use }) => (use.residential ? 'ResImp' : 'CommImp'),
      },
      (row) => (row.isCompany ? [row] : [{ ...row, lot: -1 }, row]),
    ),
  )
  for (const row of rows.filter(({ isCompany }) => !isCompany).slice(0, 8)) {
    const found = await parcel(row)
    assert.equal(found.ownerName, nameOf(row))
    assert.equal(found.ownerName2, `${row.surname} OPAL`)
    assert.equal(found.ownerZipCode, row.mailZip)
    assert.equal(found.residential, row.use.residential)
  }
})

test('degrees in columns called x and y, the wrong way round or without a sign', async (t) => {
  const key = { lrsn: ({ at }: Truth) => 412_000 + at, parcel_id: idOf, OWNER: nameOf }
  const swapped = await draftOf(t, {
    ...key,
    x_coord: ({ at }) => (42.1 + at / 1000).toFixed(6),
    y_coord: ({ at }) => (-120.3 - at / 1000).toFixed(6),
  })
  assert.deepEqual(swapped.fields?.latitude, { column: 'x_coord' })
  assert.deepEqual(swapped.fields?.longitude, { column: 'y_coord' })
  assert.deepEqual(swapped.fields?.parcelId, { column: 'parcel_id' })
  const unsigned = await draftOf(t, {
    ...key,
    LAT: ({ at }) => (42.1 + at / 1000).toFixed(6),
    LONG: ({ at }) => (120.3 + at / 1000).toFixed(6),
  })
  assert.deepEqual(unsigned.fields?.longitude, { column: 'LONG', times: -1 })
})

test('a displayed situs keeps the owner’s first line from being the site’s', async (t) => {
  const parcel = await loadByDraft(
    t,
    writeRows(t, {
      prop_id: idOf,
      file_as_name: nameOf,
      addr_line1: ({ at, mailLine }) => (at % 9 === 0 ? 'ATTN: TAX DEPT' : mailLine),
      addr_line2: ({ at, mailLine }) => (at % 9 === 0 ? mailLine : ''),
      addr_city: ({ mailCity }) => mailCity,
      addr_state: ({ mailState }) => mailState,
      situs_display: ({ line, town }) => `${line} , ${town.city}, OR ${town.zip}`,
    }),
  )
  for (const row of rows.slice(0, 10)) {
    const found = await parcel(row)
    assert.deepEqual([found.address, found.city], [row.line, row.town.city])
    assert.equal(found.ownerStreet, row.mailLine)
    assert.equal(found.careOf, row.at % 9 === 0 ? 'TAX DEPT' : null)
  }
})

test('a homestead exemption gives an amount; a document’s date is that of the deed', async (t) => {
  const { fields, transfers } = await draftOf(t, {
    ...BASE,
    'Homestead Ex': ({ at }) => (at % 2 === 0 ? '6,000' : '0'),
    'Instrument Date': ({ sold }) => sold,
    Consideration: ({ price }) => price,
  })
  assert.deepEqual(fields?.exemptionAmount, { column: 'Homestead Ex' })
  assert.deepEqual(transfers?.[0]?.transferDate, { column: 'Instrument Date' })
})
