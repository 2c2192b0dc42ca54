/** A suppression lasts: over undo, unload, copies, and names that are written in another way. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row } from '../contract/rolls.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { operate } from '../processes/operator.ts'
import { startService } from '../service.ts'

const row = (parcelId: string, ownerName1: string, more: Row = {}): Row => ({
  ...{ parcelId, ownerName1, address: `${parcelId.slice(-1)} ELM ST`, city: 'MADISON' },
  ...{ grantor: '', nameOrder: '', ownerCareOf: '', REMARK: '', ...more },
})
/** Somebody else's parcel, which names the person. */
const NAMING = {
  grantor: 'QAZMER J ZYXWELL',
  ownerCareOf: 'ZYXWELL QAZMER',
  REMARK: 'Zyxwell, Qazmer',
}
const OTHERS = [row('OPEN-8', 'HARLOW, PAUL', NAMING), row('OPEN-9', 'ZYXWELL, THEODORE')]
const roll = (...rows: Row[]) => makeRoll([...rows, ...OTHERS])
const FIRST = roll(row('HIDE-1', 'ZYXWELL, QAZMER J'))
const SECOND = roll(row('HIDE-1', 'ZYXWELL QAZMER', { grantor: 'VORTIGAN MARA' }))

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-lasting-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function load(data: string, csv: string): Promise<void> {
  const file = `${data}.csv`
  writeFileSync(file, csv)
  await operate(data, 'import', file, '--mapping', 'platbook', '--force')
  rmSync(file)
}

const ADD = ['--owner', 'Qazmer J Zyxwell', '--state', 'WI', '--basis', 'a law']
const suppress = (data: string) => operate(data, 'suppress', 'add', ...ADD)
const DANE = ['--state', 'WI', '--county', 'Dane', '--confirm']

/** No answer knows the name, no search finds it, and the file does not hold it. */
async function assertHidden(data: string, settings: object = {}): Promise<void> {
  const service = await startService('', { data, ...settings })
  try {
    const { body } = await service.get('/public/property/parcelId/', {
      ...{ state: 'WI', county: 'Dane', parcelId: 'HIDE-1' },
    })
    assert.deepEqual(body.property.suppressed, ['owner'])
    assert.doesNotMatch(JSON.stringify(body), /QAZMER|VORTIGAN/)
    const other = await service.get('/public/property/parcelId/', {
      ...{ state: 'WI', county: 'Dane', parcelId: 'OPEN-8' },
    })
    const { propertyIdentification, suppressed } = other.body.property
    assert.deepEqual(suppressed, ['owner'])
    assert.equal(propertyIdentification.currentOwner.ownerName, 'HARLOW, PAUL')
    assert.doesNotMatch(other.text, /QAZMER/i)
    const search = { state: 'WI', lastName: 'zyxwell' }
    const found = await service.get('/public/premium/owner/', search)
    assert.equal(found.body.metadata.count, 1, 'another person of the surname stays')
    const word = await service.get('/public/premium/owner/', {
      state: 'WI',
      nameContains: 'qazmer',
    })
    assert.equal(word.status, 404)
  } finally {
    await service.close()
  }
}

/** The bytes of the rolls' file around a suppressed name. */
function inFile(data: string): string {
  const text = readFileSync(join(data, 'parcels.db'), 'latin1')
  return /.{0,60}(QAZMER|VORTIGAN).{0,40}/is.exec(text)?.[0] ?? ''
}

test('an undo brings back no name that was suppressed before or after the import', async (t) => {
  const folder = makeFolder(t)
  for (const order of ['import, suppress, import, undo', 'import, import, suppress, undo']) {
    const data = join(folder, order.replaceAll(/\W+/g, '-'))
    await load(data, FIRST)
    if (order.endsWith('suppress, undo')) {
      await load(data, SECOND)
      await suppress(data)
    } else {
      await suppress(data)
      await load(data, SECOND)
    }
    assert.equal(inFile(data), '', order)
    await operate(data, 'import', '--undo', ...DANE)
    await assertHidden(data)
    assert.equal(inFile(data), '', order)
  }
})

test('a parcel that is unloaded and loaded again stays hidden', async (t) => {
  const data = join(makeFolder(t), 'data')
  await load(data, FIRST)
  await suppress(data)
  await operate(data, 'unload', ...DANE)
  await load(data, SECOND)
  await assertHidden(data)
})

const missing = whyNoServer()
test('a copy in PostgreSQL hides the same, there and after an import there', {
  skip: missing ?? false,
}, async (t) => {
  const folder = makeFolder(t)
  const [data, other] = [join(folder, 'data'), join(folder, 'other')]
  mkdirSync(other)
  const server = await shareServer()
  t.after(() => server.stop())
  const databaseUrl = await server.createDatabase('copied')
  await load(data, FIRST)
  await suppress(data)
  await operate(data, 'copy', '--from', data, '--to', databaseUrl)
  await assertHidden(other, { databaseUrl })
  const file = join(folder, 'roll.csv')
  writeFileSync(file, SECOND)
  const env = { PLATBOOK_DATABASE_URL: databaseUrl }
  const again = () =>
    runCommand(importCommand, [file, '--mapping', 'platbook'], { data: other, env })
  await assert.rejects(again, /suppression\.secret is missing/)
  copyFileSync(join(data, 'suppression.secret'), join(other, 'suppression.secret'))
  await again()
  await assertHidden(other, { databaseUrl })
})

/** Ways in which an office may write `Qazmer J Zyxwell` next year. */
const SPELLINGS: [name: string, order?: string][] = [
  ...[
    ...['ZYXWELL QAZMER J', 'ZYXWELL, QAZMER', 'Zyxwell, Qazmer J.', 'ZYXWELL QAZMER JOHN'],
    ...['ZYXWELL QAZMER J & MARA L', 'ZYXWELL QAZMER J ETAL', 'ZYXWELL QAZMER J TRUSTEE'],
    ...['ZYXWELL QAZMER J JR', 'HARLOW PAUL & ZYXWELL QAZMER', 'ZYXWELL QAZMER J LIFE ESTATE'],
    ...['ZYXWELL QAZMER J REVOCABLE TRUST', 'QAZMER J ZYXWELL LIVING TRUST'],
    ...['THE QAZMER ZYXWELL TRUST', 'ZYXWELL QAZMER J (TOD)', 'EST OF ZYXWELL QAZMER J'],
    ...['QAZMER J ZYXWELL', 'QAZMER ZYXWELL FAMILY TRUST', 'ZYXWELL, QAZMER J TR'],
  ].map((name): [string] => [name]),
  ['QAZMER JOHN ZYXWELL', 'first-last'],
  ['QAZMER J & MARA L ZYXWELL', 'first-last'],
  ['ZYXWELL QAZMER', 'last-first'],
]

test('a refresh with the name in another form hides it too', async (t) => {
  const data = join(makeFolder(t), 'data')
  await load(data, FIRST)
  await suppress(data)
  const rows = SPELLINGS.map(([name, nameOrder = ''], at) =>
    row(`FORM-${at}`, name, { address: `${at + 20} OAK ST`, nameOrder }),
  )
  await load(data, roll(...rows))
  const service = await startService('', { data })
  const shown: string[] = []
  for (const [at, [name]] of SPELLINGS.entries()) {
    const { body } = await service.get('/public/property/parcelId/', {
      ...{ state: 'WI', county: 'Dane', parcelId: `FORM-${at}` },
    })
    if (/QAZMER/i.test(JSON.stringify(body))) shown.push(name)
  }
  await service.close()
  assert.deepEqual(shown, [])
})
