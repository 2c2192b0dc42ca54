/** Drafts where two columns could be the same thing: fill, contents and repetition decide. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { loadMapping, type MappingDocument } from '../../src/import/mapping/mapping.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { type Inspection, inspectFile } from '../../src/inspect/inspect.ts'
import {
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from '../import/small-roll.ts'
import { type Cell, writeColumns } from './invented-rows.ts'

const ROWS = 60
const NAMES = 'ROE DOE VANCE TRENT HARLOW STERN PIKE KOWAL LINDQ ESPINO'.split(' ')
const GIVEN = 'JANE PAUL ANNA IDA NOAH MARY JOHN CLARA'.split(' ')

const name = (at: number) => `${NAMES[at % 10]} ${GIVEN[at % 8]}`
const street = (at: number) => `${at * 7 + 11} ${['OAK', 'ELM', 'MAPLE'][at % 3]} ST`
const ID = { PARCEL_ID: (at: number) => `12-${String(at * 37).padStart(6, '0')}` }
const BASE: Record<string, Cell> = { ...ID, OWNER: name, SITUS_ADDRESS: street }
const sometimes =
  (share: number, text: Cell): Cell =>
  (at) =>
    isOf(share, at) ? text(at) : ''

async function inspectColumns(
  t: TestContext,
  columns: Record<string, Cell>,
  place: { state?: string | undefined; county?: string } = { state: 'NE', county: 'Lancaster' },
  form?: string,
) {
  const data = makeFolder(t)
  const file =
    form === undefined
      ? writeColumns(data, columns, ROWS)
      : write(data, 'roll.ndjson', writeObjects(columns, form === 'JSON'))
  const inspection = await inspectFile(file, {
    today: TODAY,
    mappings: MAPPINGS,
    ...place,
  })
  return { data, file, inspection, document: draftDocument(inspection.draft) }
}

/** Writes an object a line; `a.b` is an object's, or a name with a point in it. */
function writeObjects(columns: Record<string, Cell>, isNested: boolean): string {
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const row: Record<string, Record<string, unknown> | unknown> = {}
    for (const [name, cell] of Object.entries(columns)) {
      const [, object, own] = (isNested && /^(\w+)\.(\w+)$/.exec(name)) || []
      if (object === undefined || own === undefined) row[name] = cell(at)
      else row[object] = { ...(row[object] as object), [own]: cell(at) }
    }
    return JSON.stringify(row)
  })
  return lines.join('\n')
}

const MAPPINGS = [
  ...['ny-statewide', 'az-pima', 'az-maricopa', 'mt-cadastral', 'fl-dor-nal', 'ny-pluto'],
  'tx-pacs',
].map(loadMapping)

const whyOf = ({ draft }: Inspection, field: string) =>
  draft.entries.find((entry) => entry.name === field)?.why ?? ''

const isOf = (share: number, at: number) => (at * 7919) % 100 < share
const cycle = (texts: readonly string[]) => (at: number) => texts[at % texts.length] ?? ''
const USES = 'Single family|Duplex|Condominium|Retail store|Office|Warehouse'.split('|')
const CLASSES = 'Residential|Residential|Residential|Commercial|Commercial|Industrial'.split('|')
const uses = cycle(USES)
const classes = cycle(CLASSES)
const cities = cycle(['MILLPORT', 'HOLLOW', 'TRENTON'])
const roads = cycle(['OAK HILL', 'ELM', 'STIEGER LAKE', 'LARK', 'PIKE', 'MAPLE'])
const types = cycle(['ST', 'AVE', 'LN', 'RD'])
const house = (at: number) => at * 7 + 11

/** What braces hold in `rivals.txt`. */
const VALUES: Record<string, Cell> = {
  ...{ id: ID.PARCEL_ID, name, next: (at) => name(at + 1), street, road: roads, type: types },
  ...{ city: cities, use: uses, class: classes, given: cycle(GIVEN), surname: cycle(NAMES) },
  next_street: (at) => street(at + 1),
  both: (at) => `${name(at)} & ${name(at + 1)}`,
  grid: (at) => `${house(at)} W ${(at % 9) * 50 + 50} N`,
  ways: cycle('SUNSET OAK ELM MAPLE CEDAR PINE'.split(' ')),
  use_code: cycle(['1112', '1115', '1230', '2212', '2220', '2235']),
  days: (at) => `20${10 + (at % 9)}0${(at % 9) + 1}12`,
}
/** The columns with which most rolls of the table begin. */
const BEGIN: Record<string, string> = {
  ROLL: 'PARCEL_ID: {id}; OWNER: {name}; SITUS_ADDRESS: {street}',
  PLAIN: 'PARCEL_ID: {id}; OWNER: {name}',
}

/**
 * A cell of a row. `A|B` is A in even rows and B in odd ones, and so on; `30% A ~ B` is A in 30 %
 * of the rows, else B or blank; `''` is blank; braces hold a name of `VALUES` or an expression.
 */
function fill(template: string, at: number): string {
  const [, share, some, others = ''] = /^(\d+)% (.*?)(?: ~ (.*))?$/.exec(template) ?? []
  if (share !== undefined) return fill(String(isOf(Number(share), at) ? some : others), at)
  const texts = template === "''" ? [''] : template.split('|')
  const text = texts[at % texts.length] ?? ''
  return text.replaceAll(/\{([^}]+)\}/g, (_, value: string) =>
    String(VALUES[value]?.(at) ?? compute(value, at)),
  )
}

/** `11+7n`: n is the row; `1+3n%9*5` is 1 and five times the rest of 3 n; `:4` pads with zeros. */
function compute(expression: string, at: number): string {
  const parts = /^(?:(-?[\d.]+)(?=[-+]))?\+?(-?[\d.]*)n(?:%(\d+))?(?:\*(\d+))?(?::(\d+))?$/
  const [, first = '0', by = '', rest, times = '1', width = '0'] = parts.exec(expression) ?? []
  assert.ok(parts.test(expression), `{${expression}}`)
  const step = (by === '' ? 1 : Number(by)) * at
  const part = rest === undefined ? step : step % Number(rest)
  return String(Number(first) + part * Number(times)).padStart(Number(width), '0')
}

/** The columns that a field of a draft comes from, as they are joined, added or tried. */
function columnsOf(document: MappingDocument, path: string): string {
  const [field = '', section] = path.split('.').toReversed()
  const all = section === undefined ? document.fields : document[section as 'transfers']
  const rules = [all ?? []].flat().map((one) => (one as Record<string, unknown>)[field])
  const list = (rule: unknown): unknown[] => {
    if (typeof rule !== 'object' || rule === null) return rule === undefined ? [] : [rule]
    const { column, first, join, sum } = rule as Record<string, unknown>
    return [column, first, join, sum].flat().flatMap(list)
  }
  const columns = rules.map((rule) => list(rule).join(' '))
  return columns.filter((text) => text !== '').join(' / ')
}

/** Reads what a draft says: `FIELD`, `of COLUMN`, and where it is loaded `@ROW FIELD`. */
async function loadByDraft(
  t: TestContext,
  { data, file, document }: Awaited<ReturnType<typeof inspectColumns>>,
  isLoaded: boolean,
) {
  if (isLoaded) await importRoll(data, [file], { mapping: document, force: true })
  return async (path: string): Promise<string> => {
    const [, column] = /^of (.+)$/.exec(path) ?? []
    const named = Object.keys(document.fields).filter((field) => field !== 'municipality')
    if (column !== undefined)
      return named.filter((field) => columnsOf(document, field) === column).join(' ')
    const [, row, field = ''] = /^@(\d+) (.+)$/.exec(path) ?? []
    if (row === undefined) return columnsOf(document, path)
    const key = ID.PARCEL_ID(Number(row)).replace('-', '')
    let value: unknown = await readParcel(openLoaded(t, data), 'NE', 31109, key)
    for (const part of field.split('.')) value = (value as Record<string, unknown>)[part] ?? ''
    return String(value)
  }
}

const CASES = readFileSync(new URL('rivals.txt', import.meta.url), 'utf8')
for (const line of CASES.split('\n').filter((text) => /^[^#]/.test(text))) {
  const [, says = '', columns = '', place, county, title] =
    /^(.+) < (.+) # (?:([A-Z]{2}|-)(?: (\w+))?: )?(.+)$/.exec(line) ?? []
  test(`${title}: ${says}`, async (t) => {
    const [, form, own = ''] = /^(?:(JSON|FLAT) )?(.*)$/.exec(columns) ?? []
    const cells = own.replace(/^(?:ROLL|PLAIN)\b/, (name) => BEGIN[name] ?? '').split('; ')
    const roll = cells.map((cell): [string, Cell] => {
      const end = cell.lastIndexOf(': ')
      return [cell.slice(0, end), (at) => fill(cell.slice(end + 2), at)]
    })
    const state = place === '-' ? undefined : place
    const where = place === undefined ? undefined : { state, ...(county && { county }) }
    const drafted = await inspectColumns(t, Object.fromEntries(roll), where, form)
    const read = await loadByDraft(t, drafted, says.includes('@'))
    for (const said of says.split(', ')) {
      const [field = '', expected] = said.split(' = ')
      assert.equal((await read(field)) || '-', expected, field)
    }
  })
}

test('the fuller of owner and taxpayer is the owner, and the other one the second', async (t) => {
  const columns = {
    ...ID,
    TAXPAYER_NAME: name,
    TAXPAYER_ADDRESS: street,
    OWNER_NAME: sometimes(8, (at) => `OTHER ${GIVEN[at % 8]}`),
    OWNER_ADDRESS: sometimes(6, street),
    SITUS: street,
  }
  const { document, inspection } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.ownerName1, { column: 'TAXPAYER_NAME' })
  assert.deepEqual(document.fields.ownerName2, { column: 'OWNER_NAME' })
  assert.match(whyOf(inspection, 'ownerName1'), /the owner's own column in \d %/)
})

test('a draft with few owners expects half of the parcels to have one', async (t) => {
  const few = { ...BASE, OWNER: sometimes(8, name) }
  const { document, inspection } = await inspectColumns(t, few)
  assert.equal(document.expect?.ownerName1, '>= 50 %')
  assert.ok(inspection.draft.warnings.some((text) => /ownerName1/.test(text)))
})

test('owner_one and owner_two are both owners, and a care-of is one by row', async (t) => {
  const columns = {
    ...ID,
    owner_one: name,
    owner_two: (at: number) =>
      at % 11 === 0 ? `c/o Agent ${at}` : at % 2 === 0 ? name(at + 3) : '',
    property_address: street,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const care = await readParcel(store, 'NE', 31109, '12000000')
  assert.deepEqual([care.ownerName2, care.careOf], [null, 'AGENT 0'])
  const two = await readParcel(store, 'NE', 31109, '12000074')
  assert.equal(two.ownerName2, name(5))
})

test('lines of an envelope move up: names, street and place are found by row', async (t) => {
  const lines = (at: number) => {
    const place = `CANBY                     MN 5622${at % 10}`
    if (at % 4 === 0) return ['JANE TRENT', street(at), place, '']
    if (at % 7 === 0) return [`C/O AGENT ${at % 3}`, street(at), place, '']
    return at % 5 === 0 ? [street(at), 'APT 4', place, ''] : [street(at), place, '', '']
  }
  const line = (of: number) => (at: number) => lines(at)[of] ?? ''
  const columns = {
    ...ID,
    TAXPAYER_N: (at: number) => `${name(at)} AND`,
    TAXPAYER_A: line(0),
    TAXPAYER_1: line(1),
    TAXPAYER_2: line(2),
    TAXPAYER_3: line(3),
    PROPERTY_A: (at: number) => `${at + 400} 5TH ST`,
  }
  const { data, file, document } = await inspectColumns(t, columns, {
    state: 'MN',
    county: 'Yellow Medicine',
  })
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const read = (at: number) =>
    readParcel(store, 'MN', 27173, `12${String(at * 37).padStart(6, '0')}`)
  const [named, plain, unit, care] = [await read(4), await read(1), await read(5), await read(7)]
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['JANE TRENT', street(4)])
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
  assert.deepEqual([unit.ownerStreet, unit.ownerCity], [`${street(5)} APT 4`, 'CANBY'])
  assert.deepEqual([care.careOf, care.ownerName2], ['AGENT 1', null])
})

test('an owner’s line above an envelope is no second name of it', async (t) => {
  const columns = {
    ...ID,
    OWNER_LINE1: (at: number) => name(at),
    OWNER_LINE2: (at: number) => (at % 9 === 0 ? 'PAUL HARLOW' : ''),
    ADDRESS_LINE1: (at: number) => street(at),
    ADDRESS_LINE2: (at: number) => (at % 8 === 0 ? 'APT 3' : `APEX NC 2750${at % 9}-1234`),
    ADDRESS_LINE3: (at: number) => (at % 8 === 0 ? `APEX NC 2750${at % 9}-1234` : ''),
    SITE_ADDRESS: (at: number) => `${at + 400} 5TH ST`,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const read = (at: number) =>
    readParcel(store, 'NE', 31109, `12${String(at * 37).padStart(6, '0')}`)
  const [plain, named, unit] = [await read(1), await read(9), await read(8)]
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['PAUL HARLOW', street(9)])
  assert.deepEqual([unit.ownerName2, unit.ownerStreet], [null, `${street(8)} APT 3`])
})

test('a second name in the street’s column is one where the next line is a street', async (t) => {
  const columns = {
    ...BASE,
    MAIL_ADDRESS1: (at: number) => (at % 6 === 0 ? 'PAUL HARLOW' : street(at)),
    MAIL_ADDRESS2: (at: number) => (at % 6 === 0 ? street(at) : at % 5 === 0 ? 'APT 3' : ''),
    MAIL_CITY: () => 'LINCOLN',
    MAIL_STATE: () => 'NE',
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const named = await readParcel(store, 'NE', 31109, '12000222')
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['PAUL HARLOW', street(6)])
  const plain = await readParcel(store, 'NE', 31109, '12000037')
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
})

test('a book with which IDs begin and a page of a plat are no deed’s', async (t) => {
  const columns = {
    ...BASE,
    Book: () => '12',
    'MCR PAGE': (at: number) => (at % 3) + 10,
    'MCR BOOK': (at: number) => (at % 3) + 400,
    'Sale Date': (at: number) => `${(at % 9) + 1}/1/2019`,
  }
  const { document, inspection } = await inspectColumns(t, columns)
  const transfers = document.transfers?.flatMap((one) => Object.keys(one)) ?? []
  assert.ok(!transfers.includes('bookNum') && !transfers.includes('pageNum'), transfers.join())
  assert.match(whyOf(inspection, 'bookNum'), /parcel IDs begin with it|not a deed's/)
})

test('a deed’s date that is not the sale’s makes a transfer of its own', async (t) => {
  const columns = {
    ...BASE,
    'Deed Number': (at: number) => `2011${String(at * 77).padStart(5, '0')}`,
    'Deed Date': (at: number) => `${(at % 9) + 1}/12/2016`,
    'Sale Date': sometimes(60, (at) => `${(at % 9) + 1}/1/${2003 + (at % 9)}`),
    'Sale Price': sometimes(60, (at) => 90000 + at * 100),
  }
  const { document, inspection } = await inspectColumns(t, columns)
  const [deed, sale] = document.transfers ?? []
  assert.deepEqual(deed?.transferDate, { column: 'Deed Date' })
  assert.deepEqual(deed?.transferDocNum, { column: 'Deed Number' })
  assert.equal(deed?.transferPrice, undefined)
  assert.deepEqual(
    [sale?.transferDate, sale?.transferPrice],
    [{ column: 'Sale Date' }, { column: 'Sale Price' }],
  )
  assert.match(whyOf(inspection, 'transferDate'), /of their own|its name says so/)
})

test('rows with a word as their ID are skipped; an undetermined situs is none', async (t) => {
  const columns = {
    PARCEL_NUM: (at: number) => (at % 15 === 0 ? 'ROW' : at === 7 ? 'WATER' : ID.PARCEL_ID(at)),
    OWNER: name,
    SITUS: (at: number) => (at === 1 ? 'XXX Undetermined Situs' : street(at)),
  }
  const { data, file, document } = await inspectColumns(t, columns)
  assert.deepEqual(document.skip, [{ value: 'PARCEL_NUM', is: ['ROW', 'WATER'] }])
  const report = await importRoll(data, [file], { mapping: document, force: true })
  assert.equal(report.loaded, 55)
  const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000037')
  assert.equal(parcel.address, null)
})

test('IDs that are words stay parcels where most are', async (t) => {
  const letters = (at: number) => String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))
  const columns = { PARCEL_ID: (at: number) => `${letters(at)}X`, OWNER: name, SITUS: street }
  const { document } = await inspectColumns(t, columns)
  assert.equal(document.skip, undefined)
})

const money = (base: number) => (at: number) => base + ((at * 7919) % 500) * 100
const words = (texts: string) => {
  const all = texts.split(' ')
  return (at: number) => all[at % all.length] ?? ''
}

test('columns that each hold a part are joined or added', async (t) => {
  const draft = async (columns: Record<string, Cell>) =>
    JSON.stringify((await inspectColumns(t, { ...BASE, ...columns })).document.fields)
  const classes = (total: Cell): Record<string, Cell> => ({
    ...{
      ASRLANDRES: (at) => (at % 3 === 0 ? 0 : 9000),
      ASRLANDCOM: (at) => (at % 3 === 0 ? 7000 : 0),
    },
    ...{
      ASRIMPRES: (at) => (at % 3 === 0 ? 0 : 50_000 + at),
      ASRIMPCOM: (at) => (at % 3 === 0 ? 81_000 : 0),
    },
    TOTASSMT: total,
  })
  const sum = (at: number) => (at % 3 === 0 ? 88_000 : 59_000 + at)
  const added = await draft(classes(sum))
  assert.match(added, /"assessedLandValue":\{"sum":\["ASRLANDRES","ASRLANDCOM"\]/)
  assert.match(added, /"assessedBuildingValue":\{"sum":\["ASRIMPRES","ASRIMPCOM"\]/)
  assert.doesNotMatch(await draft(classes((at) => sum(at) + 5000)), /"sum"/)
  const numbered = { 'LAND VALUE': () => 9000, 'IMPR 1 VALUE': (at: number) => 50_000 + at }
  const second = { 'IMPR 2 VALUE': sometimes(30, () => 4000) }
  const all = (at: number) => 59_000 + at + (Number(second['IMPR 2 VALUE'](at)) || 0)
  assert.match(
    await draft({ ...numbered, ...second, 'TOTAL TRUE VALUE': all }),
    /"sum":\["IMPR 1 VALUE"/,
  )
  const legal = {
    LEGAL1: (at: number) => `LOT ${at} BLK 2 LONG`,
    LEGAL2: sometimes(30, words('VIEW R12')),
  }
  assert.match(await draft({ ...legal, LEGAL3: () => '' }), /"join":\["LEGAL1","LEGAL2"/)
  const { document } = await inspectColumns(t, {
    ...{ ...ID, NAME1: name, NAME_ADD2: (at) => (at % 4 === 0 ? name(at + 1) : street(at)) },
    ...{
      NAME_ADD3: (at) => (at % 4 === 0 ? street(at) : ''),
      CITY: () => 'LINCOLN',
      STATE: () => 'NE',
    },
    ...{ ZIP: () => '68501', SITUS: street },
  })
  assert.match(JSON.stringify(document.fields.ownerAddressLine1), /NAME_ADD3/)
})

test('mail is the owner’s, a high number a range, a small sale value a code', async (t) => {
  const draft = async (columns: Record<string, Cell>) =>
    (await inspectColumns(t, { ...ID, ...columns })).document
  const town = (city: string) => () => `${city} NE 68501`
  const { fields: mail } = await draft({
    ...{ OWNAME: name, OWADR1: street, OWADR2: town('LINCOLN') },
    ...{ TXNAME: name, TXADR1: street, TXADR2: town('OMAHA'), PHYSADDR: street },
  })
  assert.match(JSON.stringify(mail.ownerCityStateZip), /OWADR2/)
  assert.doesNotMatch(JSON.stringify(mail), /TXADR/)
  const numbers = { ADRNO: (at: number) => 11 + at * 7, ADRADD: sometimes(20, (at) => 15 + at * 7) }
  const { fields: site } = await draft({
    OWNER: name,
    ...numbers,
    ADRSTR: cycle(['SUNSET', 'OAK', 'ELM', 'MAPLE', 'CEDAR', 'PINE']),
    ADRSUF: words('ST AVE'),
  })
  assert.match(JSON.stringify(site.streetNumber), /ADRADD.*\$1-\$2/)
  const { fields: owner } = await draft({
    ...{ last_name: words(NAMES.join(' ')), first_name: words(GIVEN.join(' ')) },
    ...{ name_suffix: sometimes(5, words('JR III SR')), SITUS: street },
  })
  assert.match(JSON.stringify(owner.ownerName1), /first_name.*name_suffix/)
  const dated = { OWNER: name, SALEDT: (at: number) => `1/${1 + (at % 28)}/2019` }
  const priceOf = async (columns: Record<string, Cell>) =>
    (await draft({ ...dated, ...columns })).transfers?.[0]?.transferPrice
  const code = { PRICE: money(90_000), SALEVAL: words('0 1 2 15') }
  assert.deepEqual(await priceOf(code), { column: 'PRICE' })
  assert.deepEqual(await priceOf({ SALEVAL: money(90_000) }), { column: 'SALEVAL' })
  const formatted = await inspectColumns(t, {
    ...{ PID: (at) => 7411 + at * 7919, PINFormat: (at) => `58-C-${at}-B`, OWNER: name },
  })
  assert.deepEqual(formatted.document.fields.parcelId, { column: 'PINFormat' })
})

/** The column of a rule that is not commented out. */
const columnOf = (rule: unknown) =>
  typeof rule === 'string' ? rule : (rule as { column?: string } | undefined)?.column

test('a text of uses that does not give the class is no description', async (t) => {
  const columns = { ...BASE, CLASS: classes, Function: (at: number) => uses(at * 7 + (at % 5)) }
  const { document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.useDescription), 'CLASS')
})

test('the mail has parts of its own: direction at the end, unit, and else a box', async (t) => {
  const columns = {
    ...BASE,
    mail_address_number: (at: number) => (at % 5 === 0 ? '' : house(at)),
    mail_address_street: (at: number) => (at % 5 === 0 ? '' : roads(at)),
    mail_address_suff: (at: number) => (at % 5 === 0 ? '' : types(at)),
    mail_address_dir: sometimes(20, (at) => (at % 5 === 0 ? '' : 'N')),
    mail_address_unit: sometimes(9, (at) => (at % 5 === 0 ? '' : '4')),
    mail_address_city: () => 'ALDA',
    mail_address_state: () => 'NE',
    mail_address_zip: () => '68810',
    mail_address_po_box: (at: number) => (at % 5 === 0 ? (['77', 'PO Box 9'][at % 2] ?? '') : ''),
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const lineOf = async (at: number) => {
    const id = `12${String(at * 37).padStart(6, '0')}`
    return (await readParcel(store, 'NE', 31109, id)).ownerStreet
  }
  const ends = (at: number) =>
    `${(at * 7919) % 100 < 20 ? ' N' : ''}${(at * 7919) % 100 < 9 ? ' #4' : ''}`
  for (const at of [1, 2, 3, 13, 26, 37])
    assert.equal(await lineOf(at), `${house(at)} ${roads(at)} ${types(at)}${ends(at)}`)
  assert.deepEqual([await lineOf(10), await lineOf(5)], ['PO BOX 77', 'PO BOX 9'])
})

test('a second owner has a middle name, and a suffix is a name’s where it is JR', async (t) => {
  const columns = {
    ...ID,
    SITUS_ADDRESS: street,
    primary_owner_first_name: (at: number) => GIVEN[at % 8] ?? '',
    primary_owner_mi: () => 'C',
    primary_owner_last_name: (at: number) => NAMES[at % 10] ?? '',
    primary_owner_suffix: sometimes(30, (at) => ['JR', 'III'][at % 2] ?? ''),
    additional_owner_1_first: (at: number) => GIVEN[(at + 1) % 8] ?? '',
    additional_owner_1_mi: () => 'B',
    additional_owner_1_last_name: (at: number) => NAMES[at % 10] ?? '',
    additional_owner_2_last_name: () => '',
  }
  const { document } = await inspectColumns(t, columns)
  const first = ['primary_owner_first_name', 'primary_owner_mi', 'primary_owner_suffix']
  const second = ['additional_owner_1_first', 'additional_owner_1_mi']
  assert.deepEqual(document.fields.ownerName1, {
    join: ['primary_owner_last_name', { join: first }],
    with: ', ',
  })
  assert.deepEqual(document.fields.ownerName2, {
    join: ['additional_owner_1_last_name', { join: second }],
    with: ', ',
  })
})

test('New Jersey’s block, lot and qualifier are the ID; elsewhere an account', async (t) => {
  const columns = {
    Municipality: (at: number) => `13${25 + (at % 4)}`,
    Block: (at: number) => (at % 3 === 0 ? `${at}.01` : at + 1),
    Lot: (at: number) => (at % 7) + 1,
    Qual: (at: number) => (at === 8 ? 'C0027' : ''),
    Account: (at: number) => String(at * 13 + 7).padStart(8, '0'),
    'Property Location': street,
    "Owner's Name": name,
  }
  const idOf = async (place: { state: string; county: string }) =>
    (await inspectColumns(t, columns, place)).document.fields.parcelId
  const own = await idOf({ state: 'NJ', county: 'Monmouth' })
  assert.deepEqual(own, { join: ['Block', 'Lot', 'Qual'], with: '-' })
  assert.deepEqual(await idOf({ state: 'NE', county: 'Lancaster' }), { column: 'Account' })
})

test('a GeoJSON whose names are those of a layout of fixed width is read as JSON', async (t) => {
  const names = loadMapping('tx-pacs').fixedWidth?.[0]?.columns.slice(0, 40) ?? []
  const features = Array.from({ length: ROWS }, (_, at) => ({
    ...{ type: 'Feature', id: at, geometry: null },
    properties: Object.fromEntries(names.map((one) => [one.name, `${at}`])),
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  const file = write(makeFolder(t), 'roll.geojson', text)
  const { rows, columns } = await inspectFile(file, {
    ...{ today: TODAY, state: 'TX', county: 'Bell', mappings: [loadMapping('tx-pacs')] },
  })
  assert.deepEqual([rows, columns.length], [ROWS, names.length])
})

test('a company is the owner where no person is, and an initial is of the name', async (t) => {
  const isFirm = (at: number) => at % 4 === 0
  const columns = {
    ...ID,
    SITUS_ADDRESS: street,
    Company: (at: number) => (isFirm(at) ? `HARLOW ${at} LLC` : ''),
    'First Name': (at: number) => (isFirm(at) ? '' : (GIVEN[at % 8] ?? '')),
    'Middle Initial': (at: number) => (isFirm(at) ? '' : 'Q'),
    'Last Name': (at: number) => (isFirm(at) ? '' : (NAMES[at % 10] ?? '')),
    'Co Owner First Name': sometimes(30, (at) => GIVEN[at % 8] ?? ''),
    'Co Owner Last Name': sometimes(30, (at) => NAMES[at % 10] ?? ''),
  }
  const { document } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.ownerName1, {
    first: [
      { join: ['Last Name', { join: ['First Name', 'Middle Initial'] }], with: ', ' },
      'Company',
    ],
  })
  assert.deepEqual(document.fields.ownerName2, {
    join: ['Co Owner Last Name', { join: ['Co Owner First Name'] }],
    with: ', ',
  })
})

test('five nines before a street are no number of a house, four may be one', async (t) => {
  const line = (at: number) => (at % 9 === 4 ? '99999 ELM ST' : `99${at + 10} OAK ST`)
  const { document } = await inspectColumns(t, { ...BASE, SITUS_ADDRESS: line })
  const replace = [{ pattern: '^9{5,} +(?=\\S)', with: '' }]
  assert.partialDeepStrictEqual(document.fields.address, { column: 'SITUS_ADDRESS', replace })
  const { document: plain } = await inspectColumns(t, { ...BASE, SITUS_ADDRESS: street })
  assert.deepEqual(plain.fields.address, { column: 'SITUS_ADDRESS' })
})

const PAIRED = {
  STNUM: house,
  STNAME: roads,
  TYPESFX: types,
  MASTNUM: (at: number) => (at % 6 === 0 ? '' : at + 400),
  MASTNAME: (at: number) => (at % 6 === 0 ? 'C/O AGENT ROE' : roads(at + 1)),
  MATYPESFX: (at: number) => (at % 6 === 0 ? '' : types(at)),
  MALINE2: (at: number) => (at % 6 === 0 ? `${at + 9} PINE AVE` : at % 7 === 0 ? 'STE 4' : ''),
  MACITY: cities,
  MASTATE: () => 'NE',
  MAZIP: (at: number) => 68500 + (at % 9),
}

test('letters of two pairs of columns are the mail’s', async (t) => {
  const { data, file, document } = await inspectColumns(t, { ...BASE, ...PAIRED })
  const { ownerCity, ownerZipCode, city } = document.fields
  assert.deepEqual([ownerCity, ownerZipCode, city].map(columnOf), ['MACITY', 'MAZIP', undefined])
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const at = async (row: number) => {
    const id = `12${String(row * 37).padStart(6, '0')}`
    const { ownerStreet, careOf } = await readParcel(store, 'NE', 31109, id)
    return [ownerStreet, careOf]
  }
  assert.deepEqual(await at(1), [`401 ${roads(2)} ${types(1)}`, null])
  assert.deepEqual(await at(6), ['15 PINE AVE', 'AGENT ROE'])
})

const acres = (at: number) => (0.11 + at / 50).toFixed(3)
const LAND: [string, string | undefined, Record<string, Cell>][] = [
  [
    'as many acres',
    'SIZESQFT',
    { SIZESQFT: (at) => Math.round(Number(acres(at)) * 43_560), SIZEACRES: acres },
  ],
  ['other acres', undefined, { SIZESQFT: (at) => 1200 + at * 7, SIZEACRES: acres }],
]
for (const [title, column, columns] of LAND) {
  test(`square feet next to ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    assert.equal(columnOf(document.fields.landArea), column)
  })
}

test('a mailing line with its city gives way to one without it', async (t) => {
  const whole = (at: number) => `${street(at)} ${cities(at)} NE 6850${at % 9}`
  const columns = {
    ...BASE,
    MAIL_ADDRESS: whole,
    MAIL_ADDR1: street,
    MAIL_CITY: cities,
    MAIL_STATE: () => 'NE',
    MAIL_ZIP: (at: number) => 68500 + (at % 9),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.ownerAddressLine1), 'MAIL_ADDR1')
  const { MAIL_ADDR1: _, ...alone } = columns
  const { document: other, inspection } = await inspectColumns(t, alone)
  assert.equal(other.fields.ownerAddressLine1, undefined)
  assert.match(whyOf(inspection, 'ownerAddressLine1'), /100 % of its lines end in a ZIP code/)
})

test('amounts of a few rows may be numbers of years', async (t) => {
  const sale = { SALE_DATE: () => '2019-04-05', SALE_PRICE: () => 2000 }
  const file = writeColumns(makeFolder(t), { ...BASE, TOTAL_VALUE: () => 2010, ...sale }, 1)
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], state: 'NE' })
  const named = draft.entries.map(({ name }) => name)
  for (const field of ['totalAssessedValue', 'transferPrice'])
    assert.ok(named.includes(field), field)
})
