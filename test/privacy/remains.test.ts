/** What is left of a suppressed person: other texts of the parcel, near names, and files. */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import * as suppressCommands from '../../src/cli/commands/rolls/suppress.ts'
import { expireFiles } from '../../src/import/report/expire-files.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row } from '../contract/rolls.ts'
import { startService, type TestService } from '../service.ts'

const row = (parcelId: string, ownerName1: string, more: Row = {}): Row => ({
  ...{ parcelId, ownerName1, city: 'Madison', zipCode: '53703', address: `${parcelId} OAK ST` },
  ...{ subdivision: '', legalDesc: '', REMARK: '', NOTE: '', ...more },
})
const ROWS: Row[] = [
  row('1', 'ZYXWELL, QAZMER J', {
    ...{ subdivision: 'ZYXWELL ADDITION', legalDesc: "LOT 2 OF ZYXWELL'S FARM" },
    ...{ REMARK: 'THE ZYXWELL FAMILY', NOTE: 'corner lot' },
  }),
  row('2', 'QAZMER J ZYXWELL', { REMARK: 'Zyxwells since 1911' }),
  row('3', 'QAZMER ZYXWELL DDS PA'),
  row('4', 'ZYXWELL, THEODORE', { subdivision: 'ZYXWELL ADDITION' }),
  row('5', 'ZYXWELL, QAZMER K'),
  row('6', 'ZYXWELL Q'),
  row('7', 'HARLOW, PAUL'),
]
/** Rows of no county are rejected. */
const REJECTED = [
  row('8', 'ZYXWELL, QAZMER J', { county: 'Nowhere' }),
  row('9', 'HARLOW, MARA', { county: 'Nowhere' }),
]

let service: TestService
before(async () => {
  service = await startService(makeRoll([...ROWS, ...REJECTED]))
})
after(() => service.close())

const suppress = (name: string, words: string[]) => {
  const command = Object.values(suppressCommands).find((one) => one.name === `suppress ${name}`)
  assert.ok(command)
  return runCommand(command, words, { data: service.config.data })
}
const rejects = () => {
  const folder = join(service.config.data, 'rejects')
  return readdirSync(folder).map((name) => join(folder, name))
}

test('texts with the surname go, near names and files that still have it are listed', async () => {
  const { data } = service.config
  const files = {
    upload: join(data, 'console', '0a', 'file', 'roll.csv'),
    draft: join(data, 'console', '0a', 'mapping.json'),
    packed: join(data, 'console', '0b', 'file', 'roll.zip'),
    other: join(data, 'console', '0c', 'file', 'other.csv'),
  }
  for (const id of ['0a', '0b', '0c']) {
    mkdirSync(join(data, 'console', id, 'file'), { recursive: true })
  }
  writeFileSync(files.upload, 'OWNER\nQazmer J Zyxwell\n')
  writeFileSync(files.draft, '{"about": ["ZYXWELL, QAZMER"]}')
  writeFileSync(files.packed, 'PK\u0003\u0004')
  writeFileSync(files.other, `OWNER\nHARLOW, QAZMER\n${'-'.repeat(400)}\nZYXWELL, THEODORE\n`)
  const [early = ''] = rejects()
  assert.match(readFileSync(early, 'utf8'), /ZYXWELL/)

  const known = [files.upload, files.draft, files.packed, join(data, 'roll.csv')]
  const words = ['--owner', 'ZYXWELL QAZMER J', '--state', 'WI', '--basis', 'a law', '--json']
  const told = (await suppress('add', words)).json()
  assert.equal(told.hidden, 3)
  assert.deepEqual((told.near as string[]).sort(), ['55025-5', '55025-6'])
  assert.deepEqual((told.older as string[]).sort(), [...known, early].sort())

  for (const round of ['at once', 'after an import']) {
    const texts = await textsOf()
    for (const id of ['1', '2', '3']) assert.doesNotMatch(texts[id] ?? '', /ZYXWELL/i, round)
    assert.match(texts['1'] ?? '', /corner lot/)
    assert.match(texts['4'] ?? '', /ZYXWELL ADDITION/, 'of another owner of the surname')
    const out = join(data, `${round}.csv`)
    await runCommand(exportCommand, ['--state', 'WI', '--format', 'csv', '--out', out], { data })
    assert.doesNotMatch(readFileSync(out, 'utf8'), /FAMILY|FARM|ZYXWELL, QAZMER J/)
    await service.importRoll(makeRoll([...ROWS, ...REJECTED]), { force: true })
  }
  const late = rejects().filter((path) => path !== early)
  for (const path of late) {
    const text = readFileSync(path, 'utf8')
    assert.doesNotMatch(text, /ZYXWELL/)
    assert.match(text, /hidden by a suppression[\s\S]*HARLOW/)
  }
})

async function textsOf(): Promise<Record<string, string>> {
  const { body } = await service.get('/public/property/search/', { state: 'WI', limit: 100 })
  const found = body.properties as { parcelId?: string; propertyIdentification: object }[]
  return Object.fromEntries(
    found.map((one) => {
      const text = JSON.stringify(one)
      return [/"parcelId":"(\d)"/.exec(text)?.[1] ?? '', text]
    }),
  )
}

/** What an upload holds, and whether it may have the name. */
const UPLOADS: [name: string, bytes: string | Buffer, isListed: boolean][] = [
  ['utf16.csv', Buffer.from('OWNER\nBRANTVOLD, OSWIN\nBRANTVOLD, OSWIN\n', 'utf16le'), true],
  ['swapped.csv', Buffer.from('OWNER\nBRANTVOLD, OSWIN\nHARLOW, ANN\n', 'utf16le').swap16(), true],
  ['latin1.csv', Buffer.from('OWNER\nBR\xc4NTVOLD, \xd6SWIN\n', 'latin1'), true],
  ['escaped.json', '{"owner": "br\\u00c4ntvold, \\u004fswin"}', true],
  ['columns.csv', `LAST,NOTE,GIVEN\nBRANTVOLD,${'x'.repeat(900)},OSWIN\n`, true],
  ['backwards.csv', `GIVEN,NOTE,LAST\nOSWIN,${'x'.repeat(900)},BRANTVOLD\n`, true],
  ['late.csv', `${'x,1\n'.repeat(262_142)}BRANTVOLD, OSWIN\n`, true],
  ['roll.gpkg', `SQLite format 3\0${'\0\0\0\u0001'.repeat(50)}OSWIN BRANTVOLD`, true],
  ['roll.tar', `${'\0'.repeat(257)}ustar BRANTVOLD, OSWIN`, true],
  ['other.csv', `BRANTVOLD, MARA\n${'x,1\n'.repeat(80)}HARLOW, OSWIN\n`, false],
  ['escaped-other.json', '{"owner": "HARLOW, \\u004fswin"}', false],
  ['layer.gpkg', `SQLite format 3\0${'\0\0\0\u0001'.repeat(50)}OSWIN HARLOW`, false],
]

test('a name is found in every form in which a file may have it, each file once', async () => {
  const { data } = service.config
  const folder = join(data, 'console', 'ff', 'file')
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of UPLOADS) writeFileSync(join(folder, name), bytes)
  // An import that was killed leaves what it had read.
  const staged = join(data, 'staging', 'roll.db')
  mkdirSync(join(data, 'staging'))
  writeFileSync(staged, 'OSWIN BRANTVOLD')
  const out = join(data, 'exports', 'all.csv')
  mkdirSync(join(data, 'exports'))
  await runCommand(exportCommand, ['--state', 'WI', '--format', 'csv', '--out', out], { data })
  const words = ['--owner', 'BRANTVOLD OSWIN', '--basis', 'a law', '--json']
  const older = (await suppress('add', words)).json().older as string[]
  rmSync(join(data, 'staging'), { recursive: true })
  assert.deepEqual(
    older.filter((path) => path.startsWith(folder)).sort(),
    UPLOADS.flatMap(([name, , isListed]) => (isListed ? [join(folder, name)] : [])).sort(),
  )
  assert.deepEqual(older.filter((path) => [staged, out].includes(path)).sort(), [out, staged])
})

test('rejected rows and uploads are removed after their days', () => {
  const { data } = service.config
  const [path = ''] = rejects()
  const now = Date.now()
  const old = new Date(now - 31 * 86_400_000)
  utimesSync(path, old, old)
  const upload = join(data, 'console', '0c')
  utimesSync(upload, old, old)
  expireFiles(data, 32, now)
  assert.ok(existsSync(path) && existsSync(upload))
  expireFiles(data, 30, now)
  assert.ok(!existsSync(path) && !existsSync(upload))
  assert.ok(existsSync(join(data, 'console', '0a')))
})
