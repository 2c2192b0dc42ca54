import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { parquetWriteFile } from 'hyparquet-writer'
import { CommandError } from '../../src/base/errors.ts'
import { enrichCommand } from '../../src/cli/commands/rolls/enrich.ts'
import { makeWriter } from '../../src/enrich/write-list.ts'
import { openAccounts } from '../../src/store/open.ts'
import { runCommand } from '../command.ts'
import { makeRoll, times } from '../contract/rolls.ts'
import { makeZip } from '../import/make-files.ts'
import { IS_LONG } from '../repetitions.ts'
import { NOON, startService, type TestService } from '../service.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const FAIL_AT = new URL('../files/fail-at.ts', import.meta.url).pathname
const MANY = 1300

const OWNERS = ['LARSEN KARL', 'VOSS ERIKA', 'HARBOR POINT LLC']
const ROLL = makeRoll([
  ...times(MANY, (number) => ({
    ...{ parcelId: `P-${number}`, address: `${number} OAK ST`, city: 'MADISON', zipCode: '53703' },
    ...{ ownerName1: OWNERS[number % 3] as string, nameOrder: 'surname-first', taxValue: number },
  })),
  { parcelId: 'V-1', address: '1 OAK ST', city: 'VERONA', zipCode: '53593', ownerName1: 'KERN A' },
  ...times(2, (number) => ({
    ...{ parcelId: `U-${number}`, address: '200 STATE ST', unitType: 'APT' },
    ...{ unitNumberStripped: number, city: 'MADISON', zipCode: '53703' },
  })),
  ...['53703', ''].map((zipCode, at) => ({
    ...{ parcelId: `T-${at}`, address: '300 ELM ST', city: 'MADISON', zipCode },
  })),
])

let service: TestService
let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platbook-enrich-'))
  service = await startService(ROLL)
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

let names = 0
function write(text: string, ending = 'csv'): string {
  names += 1
  const file = join(folder, `list-${names}.${ending}`)
  writeFileSync(file, text)
  return file
}

const enrich = (file: string, ...words: string[]) =>
  runCommand(enrichCommand, [file, ...words], { data: service.config.data })

type Line = Record<string, string>
const readCsv = (file: string): Line[] => parse(readFileSync(file), { columns: true })

const LEADS = `Name,"Property Address",Unit,City,State,Zip Code,Remark
A,2 Oak Street,,Madison,wi,53703,"says ""hi"", twice"
B,1 oak st,,Verona,Wisconsin,53593, blank in front
C,1 Oak St,,,WI,,
D,200 State St,2,Madison,WI,53703,
E,200 State St,,Madison,WI,53703,
F,9999 Nowhere Rd,,Madison,WI,53703,
G,,,Madison,WI,53703,
H,2 Oak St,,Madison,XX,53703,
I,300 Elm St,,Madison,WI,,
`

test('rows keep their columns and order, with the kind of match', async () => {
  const out = join(folder, 'basic.csv')
  const result = await enrich(
    write(LEADS),
    '--out',
    out,
    '--fields',
    'ownerName1,taxValue,parcelId',
  )
  assert.match(result.out, /3 of 9 rows matched \(33\.3 %\); 1 not found, 3 ambiguous, 2 invalid/)
  const rows = readCsv(out)
  assert.deepEqual(Object.keys(rows[0] ?? {}).slice(7), [
    ...['platbookMatch', 'platbookPropertyId', 'platbookNote'],
    ...['platbookOwnerName1', 'platbookTaxValue', 'platbookParcelId'],
  ])
  const own = parse(LEADS, { columns: true }) as Line[]
  for (const [at, row] of own.entries()) {
    for (const [name, value] of Object.entries(row)) assert.equal(rows[at]?.[name], value)
  }
  assert.deepEqual(
    rows.map((row) => [row.platbookMatch, row.platbookParcelId]),
    [
      ['exact', 'P-2'],
      ['exact', 'V-1'],
      ['ambiguous', ''],
      ['exact', 'U-2'],
      ['ambiguous', ''],
      ['none', ''],
      ['invalid', ''],
      ['invalid', ''],
      ['ambiguous', ''],
    ],
  )
  assert.match(rows[8]?.platbookNote ?? '', /^2 parcels are recorded there/)
  assert.equal(rows[0]?.platbookPropertyId, '55025-P-2')
  assert.match(rows[7]?.platbookNote ?? '', /^state is not the two letters/)
})

test('whole addresses, parcel IDs, named columns and fixed values are understood', async () => {
  const cases: [string, string[], string][] = [
    ['Id,Address\n1,"3 Oak St, Madison, WI 53703"\n', [], 'P-3'],
    ['Id,Address\n1,"3 Oak St Madison Wisconsin 53703-1234"\n', [], 'P-3'],
    ['Id,Address\n1,"3 Oak St, Madison, WI 53703, USA"\n', ['--line', 'Address'], 'P-3'],
    ['Id,Address\n1,"3 Oak St, Madison, WI 53703, USA"\n', [], 'P-3'],
    ['Id,Address\n1,"3 Oak St, Madison WI"\n', [], 'P-3'],
    ['Id,Address\n1,3 Oak St Madison WI 53703\n', [], 'P-3'],
    ['propertyId,foo\n55025-P-4,x\n', [], 'P-4'],
    ['Property ID,address,city,state\n1017,6 Oak St,Madison,WI\n', [], 'P-6'],
    ['APN\tCounty\tSt\nP-4\tDane County\tWI\n', [], 'P-4'],
    ['where;no\n5 Oak St;Verona\n', ['--address', 'where', '--state', 'WI', '--city', 'no'], ''],
    ['where;no\n5 Oak St;1\n', ['--address', 'where', '--state', 'WI', '--county', 'Dane'], 'P-5'],
    ['apn,county,state,address,city\nGONE,Dane,WI,6 Oak St,Madison\n', [], 'P-6'],
  ]
  for (const [at, [text, words, expected]] of cases.entries()) {
    const out = join(folder, `case-${at}.ndjson`)
    await enrich(write(text), '--out', out, '--fields', 'parcelId', ...words)
    const [line = ''] = readFileSync(out, 'utf8').split('\n')
    assert.equal(JSON.parse(line).platbookParcelId ?? '', expected, text)
  }
})

test('NDJSON and Parquet are read, and an object keeps its values', async () => {
  const object = { n: 7, tags: ['x'], address: '7 Oak St', state: 'WI', zip: 53703, none: null }
  const out = join(folder, 'object.jsonl')
  const text = `${JSON.stringify(object)}\nnot json\n`
  await enrich(write(text, 'ndjson'), '--out', out, '--fields', 'parcelId', '--prefix', 'p_')
  const [first = '', second = ''] = readFileSync(out, 'utf8').split('\n')
  assert.deepEqual(JSON.parse(first), {
    ...object,
    ...{ platbookMatch: 'exact', platbookPropertyId: '55025-P-7', platbookNote: null },
    p_parcelId: 'P-7',
  })
  assert.equal(JSON.parse(second).platbookMatch, 'invalid')
  const parquet = join(folder, 'list.parquet')
  const columnData = [
    { name: 'address', data: ['8 Oak St'] },
    { name: 'state', data: ['WI'] },
  ]
  parquetWriteFile({ filename: parquet, columnData })
  const csv = join(folder, 'parquet.csv')
  await enrich(parquet, '--out', csv, '--fields', 'parcelId', '--city', 'state').catch(
    () => undefined,
  )
  await enrich(parquet, '--out', csv, '--fields', 'parcelId', '--force')
  assert.equal(readCsv(csv)[0]?.platbookParcelId, 'P-8')
})

test('added texts that a spreadsheet would run are guarded, own columns never', async () => {
  const texts = ['=1+1', '+1 608 555 0100', '@SUM(A1)', '-2+3', '=HYPERLINK("x")', '-A1']
  texts.push('\n=1', '\t=1', '＝1+1', '＋A1', '－A1', '＠SUM(A1)')
  const kept = [
    '-89.40',
    '+1',
    '-1,200.50',
    '1.10',
    '007',
    '1e5',
    '-5 %',
    '-',
    "'=1",
    'A=1',
    '＝',
    '−1',
  ]
  const lines = [...texts, ...kept].map((cell) => `7 Oak St,WI,"${cell.replaceAll('"', '""')}"`)
  const list = write(`address,state,=note\n${lines.join('\n')}\n`)
  const notes = async (...words: string[]) => {
    const out = join(folder, `formulas${words.length}.csv`)
    await enrich(list, '--out', out, '--fields', 'parcelId', ...words)
    const [header = [], ...rows] = parse(readFileSync(out)) as string[][]
    return [header[2], ...rows.map((row) => row[2])]
  }
  for (const words of [[], ['--formulas', 'keep']]) {
    assert.deepEqual(await notes(...words), ['=note', ...texts, ...kept])
  }
  const added = (keeps: boolean) => {
    const writer = makeWriter('x.csv', ['own'], ['platbookName'], keeps)
    return [...texts, ...kept].map((text) => {
      const [[own, value] = []] = parse(Buffer.from(writer.row({ cells: [text] }, [text])))
      assert.equal(own, text)
      return value
    })
  }
  assert.deepEqual(added(false), [...texts.map((text) => `'${text}`), ...kept])
  assert.deepEqual(added(true), [...texts, ...kept])
  await assert.rejects(notes('--formulas', 'drop'), /--formulas takes keep/)
})

test('a row may lack its empty last columns; a longer one is invalid', async () => {
  const out = join(folder, 'short.csv')
  const rows = ['7 Oak St,WI,a,b', '8 Oak St,WI', '"9 Oak St",WI,"c"', '7 Oak St,WI,a,b,c']
  await enrich(write(`address,state,n,m\n${rows.join('\n')}\n`), '--out', out)
  const found = readCsv(out).map(({ platbookMatch, n, m }) => [platbookMatch, n, m])
  assert.deepEqual(found.slice(0, 3), [
    ['exact', 'a', 'b'],
    ['exact', '', ''],
    ['exact', 'c', ''],
  ])
  assert.equal(found[3]?.[0], 'invalid')
})

test('the text of an NDJSON row is copied, so that no number changes', async () => {
  const own = '{"address":"7 Oak St","state":"WI","a":1.10,"b":1e2,"c":12345678901234567890 }'
  const out = join(folder, 'numbers.ndjson')
  await enrich(write(`${own}\n{}\n`, 'ndjson'), '--out', out, '--fields', 'parcelId')
  const [first = '', second = ''] = readFileSync(out, 'utf8').split('\n')
  assert.ok(first.startsWith(`${own.slice(0, -1)},"platbookMatch":"exact"`), first)
  assert.equal(JSON.parse(second).platbookMatch, 'invalid')
})

test('an Excel workbook is read', async () => {
  const row = (...cells: string[]) =>
    `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  const rows = `${row('Name', 'Address', 'City', 'State')}${row('A', '9 Oak St', 'Madison', 'WI')}`
  const book = join(folder, 'leads.xlsx')
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  writeFileSync(
    book,
    makeZip({
      'xl/workbook.xml':
        `<workbook xmlns:r="${relation}"><sheets><sheet name="Leads" sheetId="1" ` +
        'r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        `<Relationships><Relationship Id="rId1" Type="${relation}/worksheet" ` +
        'Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    }),
  )
  const out = join(folder, 'workbook.csv')
  await enrich(book, '--out', out, '--fields', 'parcelId')
  const [line] = readCsv(out)
  assert.deepEqual([line?.Name, line?.platbookParcelId], ['A', 'P-9'])
})

test('faults are sentences', async () => {
  const file = write('a,b\n1,2\n')
  const cases: [string[], RegExp][] = [
    [
      ['--out', join(folder, 'x.csv')],
      /no column for the address, the parcel ID or the coordinates/,
    ],
    [['--address', 'a', '--out', join(folder, 'x.csv')], /no column for the state/],
    [['--address', 'c', '--out', join(folder, 'x.csv')], /no column "c"; the columns are a, b/],
    [['--out', join(folder, 'x.pdf'), '--address', 'a', '--state', 'WI'], /none of \.csv/],
    [['--address', 'a', '--state', 'WI'], /--out FILE, or --dry-run/],
    [
      ['--dry-run', '--fields', 'ownername', '--address', 'a', '--state', 'WI'],
      /no field "ownername"/,
    ],
    [['--dry-run', '--url', 'ftp://x'], /--url/],
  ]
  for (const [words, said] of cases) {
    await assert.rejects(enrich(file, ...words), (error) => {
      assert.ok(error instanceof CommandError)
      assert.match(error.message, said)
      return true
    })
  }
  assert.ok(!existsSync(join(folder, 'x.csv')))
})

test('a message names fifty columns of many', async () => {
  const file = join(folder, 'wide.csv')
  writeFileSync(file, `${Array.from({ length: 60 }, (_, at) => `c${at + 1}`).join(',')}\n`)
  await assert.rejects(
    enrich(file, '--dry-run'),
    /the columns are c1, (?:c\d+, ){48}c50 and 10 more$/,
  )
})

test('a dry run writes nothing and shows what would match', async () => {
  const result = await enrich(write(LEADS), '--dry-run', '--json')
  const { rows, found } = result.json() as { rows: number; found: number }
  assert.deepEqual([rows, found], [9, 3])
})

const LONG = `id,address,city,state\n${times(MANY, (number) => ({ number }))
  .map(({ number }) => `${number},${number} Oak St,${Number(number) % 7 ? 'Madison' : 'Verona'},WI`)
  .join('\n')}\n`

test('killed at any call and resumed: the same bytes as in one go', async () => {
  const file = write(LONG)
  const whole = join(folder, 'whole.csv')
  await enrich(file, '--out', whole)
  const out = join(folder, 'killed.csv')
  // A renaming notes 500 rows; the first one notes none, and the second run is a resumed one.
  for (const [nth, rows] of [
    [3, 500],
    [2, 1000],
  ] as const) {
    assert.equal(runKilled(file, out, nth, 'renameSync'), 'SIGKILL')
    assert.equal(JSON.parse(readFileSync(`${out}.resume`, 'utf8')).counts.rows, rows)
    // The remains of a kill in the middle of a write.
    writeFileSync(`${out}.part`, 'half a r', { flag: 'a' })
  }
  const others = ['--fields', 'parcelId']
  await assert.rejects(enrich(file, '--out', out, ...others), /other options/)
  const forced = join(folder, 'other.csv')
  copyFileSync(`${out}.resume`, `${forced}.resume`)
  writeFileSync(`${forced}.part`, '')
  await enrich(file, '--out', out)
  assert.deepEqual(readFileSync(out), readFileSync(whole))
  assert.ok(!existsSync(`${out}.part`) && !existsSync(`${out}.resume`))
  await enrich(file, '--out', forced, ...others, '--force')
  assert.equal(readCsv(forced).length, MANY)
  await assert.rejects(enrich(file, '--out', forced), /is there already/)
})

test('killed at each call: the same bytes', { skip: !IS_LONG }, async () => {
  const file = write(LONG)
  const whole = join(folder, 'once.csv')
  await enrich(file, '--out', whole)
  let points = 0
  for (let isKilled = true; isKilled; points += 1) {
    const out = join(folder, `killed-${points}.csv`)
    isKilled = runKilled(file, out, points + 1) === 'SIGKILL'
    if (isKilled && !existsSync(out)) await enrich(file, '--out', out)
    assert.deepEqual(readFileSync(out), readFileSync(whole), `call ${points + 1}`)
  }
  assert.ok(points > 10, `${points} points`)
})

/** Runs the command until its `nth` call that changes files; the signal that ended it. */
function runKilled(file: string, out: string, nth: number, call?: string): string | null {
  const words = ['--import', FAIL_AT, MAIN, 'enrich', file, '--out', out]
  const failure = { FAIL_AT: String(nth), FAIL_HOW: 'kill', ...(call && { FAIL_CALL: call }) }
  const env = { ...process.env, ...failure }
  return spawnSync(process.execPath, [...words, '--data', service.config.data], { env }).signal
}

test('over a service: same bytes as from the store, each row is paid once', async () => {
  const accounts = await openAccounts(service.config)
  await accounts.admin.putPrice('batch', 1)
  service.setClock(NOON + 60_000)
  const file = write(LONG)
  const local = join(folder, 'local.csv')
  await enrich(file, '--out', local)
  const key = await service.keyFor({ responseShape: 'flat' })
  const out = join(folder, 'service.csv')
  const options = ['--url', service.address, '--key', key, '--out', out]
  const real = globalThis.fetch
  let calls = 0
  // Each third answer is lost after the service has charged for it, and one run breaks off.
  globalThis.fetch = async (...given) => {
    calls += 1
    const response = await real(...given)
    if (calls % 3 === 0) throw new TypeError('lost')
    if (calls === 4) return new Response('{"error":"broken"}', { status: 400 })
    return response
  }
  try {
    await assert.rejects(enrich(file, ...options), /answered 400: broken; run the command again/)
    await enrich(file, ...options)
  } finally {
    globalThis.fetch = real
    await accounts.admin.putPrice('batch', 0)
    await accounts.close()
  }
  assert.deepEqual(readFileSync(out), readFileSync(local))
  const found = readCsv(out).filter((row) => row.platbookPropertyId !== '').length
  const paid = (await service.entries(key)).reduce((sum, { cost }) => sum + cost, 0)
  assert.ok(found > 1000)
  assert.equal(paid, found)
})
