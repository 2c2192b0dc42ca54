/**
 * No answer shows suppressed data, and no answer distinguishes a removed parcel from one that never
 * existed.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import * as suppressCommands from '../../src/cli/commands/rolls/suppress.ts'
import { backupCommand } from '../../src/cli/commands/store/backup.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { restoreCommand } from '../../src/cli/commands/store/restore.ts'
import { CLUSTER, NO_FILES } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row } from '../contract/rolls.ts'
import { startService, type TestService } from '../service.ts'

/** Names and places that occur nowhere else. */
const CANARIES = ['ZYXWELL', 'QAZMER', 'VORTIGAN', 'WUTHLINE', 'CARROWEN', 'PLUMFIRTH']

const canary = (more: Row): Row => ({
  ownerName1: 'ZYXWELL, QAZMER J',
  ownerName2: 'VORTIGAN, MARA',
  ownerCareOf: 'VORTIGAN TAX SERVICE',
  ownerAddressLine1: '9 WUTHLINE WAY',
  ownerCity: 'CARROWEN',
  ownerState: 'WI',
  ownerZipCode: '53999',
  city: 'Madison',
  zipCode: '53703',
  transferDate: '2021-02-03',
  grantor: 'VORTIGAN, MARA',
  grantee: 'ZYXWELL QAZMER',
  REMARK: 'sold to Qazmer Zyxwell in 2021',
  MAILTO: '9 Wuthline Way, Carrowen',
  latitude: 43.07,
  longitude: -89.4,
  ...more,
})
const plain = (parcelId: string, address: string, ownerName1: string): Row => ({
  ...{ parcelId, address, ownerName1, city: 'Madison', zipCode: '53703' },
  ...{ REMARK: '', MAILTO: '', latitude: 43.08, longitude: -89.41 },
})

const ROWS: Row[] = [
  canary({ parcelId: 'HIDE-1', address: '100 PLUMFIRTH ST' }),
  canary({
    parcelId: 'HIDE-2',
    address: '102 PLUMFIRTH ST',
    ownerName1: 'ZYXWELL QAZMER REVOCABLE TRUST',
    ownerName2: '',
  }),
  plain('OPEN-1', '200 OAK ST', 'HARLOW, PAUL'),
  plain('OPEN-2', '202 OAK ST', 'ZYXWELL, THEODORE'),
  {
    ...plain('OPEN-3', '204 OAK ST', 'HARLOW, MARA'),
    ownerAddressLine1: '100 Plumfirth Street',
    ownerState: 'WI',
  },
]

const command = (name: string) => {
  const found = Object.values(suppressCommands).find((one) => one.name === `suppress ${name}`)
  assert.ok(found)
  return found
}

type World = { service: TestService; suppress(words: string[]): ReturnType<typeof runCommand> }

async function withService(work: (world: World) => Promise<void>): Promise<void> {
  const service = await startService(makeRoll(ROWS))
  const { data } = service.config
  const suppress = ([name = '', ...words]: string[]) => runCommand(command(name), words, { data })
  try {
    await work({ service, suppress })
  } finally {
    await service.close()
  }
}

/** Every way of asking for the canary, with the text of the answer and its headers. */
const QUESTIONS: [path: string, query: string][] = [
  ['/public/property/address/', 'state=WI&address=100 Plumfirth St'],
  ['/public/property/address/', 'state=WI&address=100 Plumfirth St&explain=true'],
  ['/public/property/parcelId/', 'state=WI&county=Dane&parcelId=HIDE-1'],
  ['/public/property/parcelId/', 'state=WI&county=Dane&parcelId=HIDE1&explain=true'],
  ['/public/property/search/', 'state=WI&limit=100'],
  ['/public/property/search/', 'state=WI&limit=100&cursor='],
  ['/public/property/search/', 'state=WI&county=Dane&zipCode=53703&limit=100'],
  ['/public/premium/owner/', 'state=WI&lastName=zyxwell'],
  ['/public/premium/owner/', 'state=WI&lastName=zyxwell&firstName=q&explain=true'],
  ['/public/premium/owner/', 'state=WI&lastName=vortigan'],
  ['/public/premium/owner/', 'state=WI&lastName=vortigam&fuzzy=true&explain=true'],
  ['/public/property/owner/', 'state=WI&nameContains=qazmer'],
  ['/public/usage/', ''],
]

async function askAll(service: TestService): Promise<string> {
  const keys = [await service.keyFor(), await service.keyFor({ responseShape: 'flat' })]
  let all = ''
  for (const key of keys) {
    for (const [path, query] of QUESTIONS) {
      const answer = await service.get(path, query.replaceAll(' ', '+'), { key })
      assert.ok(answer.status < 500, `${path}?${query}: ${answer.status}`)
      // Another person of the surname stays, and is not a canary.
      const text = withoutEcho(answer.text).replaceAll('ZYXWELL, THEODORE', '')
      all += `${text}\n${[...answer.headers].join(' ')}\n`
    }
  }
  return all + service.logged.join('\n')
}

function found(text: string, names = CANARIES): string[] {
  return names.filter((name) => text.toUpperCase().includes(name))
}

const OWNER_CANARIES = CANARIES.filter((name) => name !== 'PLUMFIRTH')

test('a suppressed owner is in no operation, layout or log, also after an import', () =>
  withService(async ({ service, suppress }) => {
    assert.deepEqual(found(await askAll(service)), CANARIES)
    const owners = ['Qazmer Zyxwell', 'VORTIGAN MARA']
    for (const owner of owners) {
      const words = ['--owner', owner, '--state', 'WI', '--county', 'Dane', '--basis', 'a law']
      await suppress(['add', ...words])
    }
    const feed = await service.get('/public/changes/', { state: 'WI', groups: 'owner' })
    const told = feed.body.changes.map((one: Record<string, string>) => [one.what, one.propertyId])
    assert.deepEqual(told.slice(0, 3), [
      ['loaded', null],
      ['changed', '55025-HIDE-1'],
      ['changed', '55025-HIDE-2'],
    ])
    for (const round of ['at once', 'after a refresh']) {
      const text = await askAll(service)
      for (const name of found(text, OWNER_CANARIES)) {
        const at = text.toUpperCase().indexOf(name)
        assert.fail(`${round}: ${name} in ${text.slice(at - 200, at + 60)}`)
      }
      const { body } = await service.get('/public/property/parcelId/', {
        ...{ state: 'WI', county: 'Dane', parcelId: 'HIDE-1' },
      })
      assert.deepEqual(body.property.suppressed, ['owner'], round)
      assert.equal(body.property.propertyIdentification.currentOwner.ownerName, null)
      assert.equal(body.property.transfers[0].grantor, null)
      const other = await service.get('/public/premium/owner/', {
        state: 'WI',
        lastName: 'zyxwell',
      })
      assert.equal(other.body.metadata.count, 1, 'another person of the surname stays')
      const rows = [{ ...ROWS[0], ownerName1: 'ZYXWELL QAZMER' }, ...ROWS.slice(1)] as Row[]
      await service.importRoll(makeRoll(rows))
    }
  }))

/** Explanations repeat the question, which the caller knows. */
function withoutEcho(text: string): string {
  const body = JSON.parse(text)
  const told = body.explain ?? body.metadata?.explain
  if (told !== undefined) {
    delete told.read
    delete told.tried
    told.words = told.words.filter((line: string) => !/^(Or r|R)ead |^Looked /.test(line))
  }
  return JSON.stringify(body)
}

test('a parcel that is hidden whole answers as one that never was', () =>
  withService(async ({ service, suppress }) => {
    const before = await service.get('/public/property/search/', { state: 'WI', limit: 100 })
    await suppress(['add', '--property', '55025-HIDE-1', '--scope', 'both', '--basis', 'a law'])
    for (const round of ['at once', 'after a refresh']) {
      const pairs: [path: string, query: string, never: string][] = [
        [
          '/public/property/parcelId/',
          'state=WI&county=Dane&parcelId=HIDE-1',
          'state=WI&county=Dane&parcelId=NONE-1',
        ],
        [
          '/public/property/address/',
          'state=WI&address=100+Plumfirth+St',
          'state=WI&address=104+Plumfirth+St',
        ],
        [
          '/public/property/address/',
          'state=WI&address=100+Plumfirth&candidates=true',
          'state=WI&address=104+Plumfirth&candidates=true',
        ],
        ['/public/premium/owner/', 'state=WI&lastName=vortigan', 'state=WI&lastName=vortigon'],
      ]
      for (const [path, query, never] of pairs) {
        const [hidden, none] = [await service.get(path, query), await service.get(path, never)]
        assert.equal(hidden.status, none.status, `${round}: ${query}`)
        assert.equal(hidden.text, none.text)
        assert.deepEqual(namesOf(hidden.headers), namesOf(none.headers))
      }
      const { body } = await service.get('/public/property/search/', { state: 'WI', limit: 100 })
      assert.equal(body.metadata.count, before.body.metadata.count - 1)
      await service.importRoll(makeRoll(ROWS))
    }
  }))

test('a wider scope names the suppression that has hidden the name already', () =>
  withService(async ({ service, suppress }) => {
    const name = ['add', '--owner', 'Zyxwell, Qazmer', '--basis', 'x', '--state', 'WI']
    const { out: first } = await suppress([...name, '--county', 'Dane'])
    const [id = ''] = /sup_[0-9a-f]{12}/.exec(first) ?? []
    assert.doesNotMatch(first, /in part/)
    const { out: wider } = await suppress([...name, '--scope', 'both'])
    assert.match(wider, new RegExp(`${id} already hid some of these fields`))
    assert.match(wider, /suppress add --property/)
    const { out: other } = await suppress([...name.with(2, 'Zyxwell, Bo'), '--scope', 'both'])
    assert.doesNotMatch(other, /in part/)
    await service.importRoll(makeRoll(ROWS), { force: true })
    const query = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
    assert.equal((await service.get('/public/property/parcelId/', query)).status, 404)
  }))

function namesOf(headers: Headers): string[] {
  return [...headers.keys()].sort()
}

test('a suppressed address is not shown and finds nothing; the owner is still there', () =>
  withService(async ({ service, suppress }) => {
    await suppress([
      'add',
      '--address',
      // The city that leads the line is no part of the street.
      'Madison, 100 Plumfirth Street',
      '--state',
      'WI',
      '--scope',
      'address',
      '--basis',
      'x',
    ])
    for (const round of ['at once', 'after a refresh']) {
      const line = await service.get('/public/property/address/', {
        state: 'WI',
        address: '100 Plumfirth St',
      })
      assert.equal(line.status, 404, round)
      const { body } = await service.get('/public/property/parcelId/', {
        ...{ state: 'WI', county: 'Dane', parcelId: 'HIDE-1' },
      })
      assert.deepEqual(found(JSON.stringify(body), ['PLUMFIRTH', 'WUTHLINE']), [])
      assert.deepEqual(body.property.suppressed, ['address'])
      assert.equal(body.property.propertyLocation.latitude, null)
      assert.match(JSON.stringify(body), /ZYXWELL/)
      const other = await service.get('/public/property/parcelId/', {
        ...{ state: 'WI', county: 'Dane', parcelId: 'OPEN-3' },
      })
      assert.deepEqual(found(other.text, ['PLUMFIRTH']), [], 'as the mailing address of another')
      assert.deepEqual(other.body.property.suppressed, ['address'])
      assert.match(other.text, /204 OAK ST/)
      await service.importRoll(makeRoll(ROWS))
    }
  }))

test('the stores hold no clear name afterwards, and one secret only; check finds them whole', () =>
  withService(async ({ service, suppress }) => {
    for (const owner of ['Qazmer J Zyxwell', 'VORTIGAN, MARA']) {
      await suppress(['add', '--owner', owner, '--basis', 'a law'])
    }
    const { data } = service.config
    const secret = join(data, 'suppression.secret')
    renameSync(secret, `${secret}.away`)
    const other = () => suppress(['add', '--owner', 'HARLOW PAUL', '--basis', 'a law'])
    await assert.rejects(other, /suppression\.secret is missing/, 'no second secret is made')
    renameSync(`${secret}.away`, secret)
    const rows = await runCommand(checkCommand, [], { data })
    assert.equal(rows.code, 0, rows.out + rows.err)
    if (CLUSTER !== undefined) return
    for (const name of ['accounts.db', 'suppression.secret']) {
      assert.deepEqual(found(readFileSync(join(data, name), 'latin1')), [], name)
    }
    // In the rolls its name stays as another person's surname only.
    assert.deepEqual(
      found(readFileSync(join(data, 'parcels.db'), 'latin1'), ['QAZMER', 'VORTIGAN']),
      [],
    )
  }))

test('a list of hashes hides whom the registry hashed, by its own recipe', () =>
  withService(async ({ service }) => {
    const { data } = service.config
    const recipe = { PLATBOOK_REGISTRY_HASH: 'sha256:{surname}|{given}' }
    const list = join(data, 'registry.csv')
    const listed = hash('sha256', 'zyxwell|qazmer')
    writeFileSync(list, `hash,state\n${listed.toUpperCase()},WI\n`)
    const words = [list, '--basis', 'a law']
    const add = (env: Record<string, string>) => runCommand(command('import'), words, { data, env })
    await assert.rejects(() => add({}), /PLATBOOK_REGISTRY_HASH is not set/)
    await assert.rejects(() => runCommand(command('import'), [list], { data }), /--basis/)
    await assert.rejects(() => add({ PLATBOOK_REGISTRY_HASH: 'sha1:{surname}' }), /line 2/)
    await assert.rejects(() => add({ PLATBOOK_REGISTRY_HASH: 'sha256:{name}' }), /\{name\} is none/)
    const { out } = await add(recipe)
    assert.match(out, /reg_[0-9a-f]{12} is in force/)
    assert.doesNotMatch(out, new RegExp(listed))
    const roll = join(data, 'roll.csv')
    writeFileSync(roll, makeRoll(ROWS))
    for (const round of ['at once', 'after a refresh']) {
      const text = await askAll(service)
      assert.deepEqual(found(text, ['QAZMER']), [], round)
      const home = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
      const { body } = await service.get('/public/property/parcelId/', home)
      assert.deepEqual(body.property.suppressed, ['owner'], round)
      const imported = [roll, '--mapping', 'platbook']
      const again = (env: Record<string, string>) =>
        runCommand(importCommand, imported, { data, env })
      await assert.rejects(() => again({}), /PLATBOOK_REGISTRY_HASH is not the recipe/)
      await again(recipe)
    }
  }))

test(
  'a suppression names backups, exports, rolls and watches that may have the name',
  { skip: NO_FILES },
  () =>
    withService(async ({ service, suppress }) => {
      const { data } = service.config
      const folder = mkdtempSync(join(tmpdir(), 'platbook-copies-'))
      try {
        const [backup, gone, file] = ['backup', 'gone', 'wi.csv'].map((name) => join(folder, name))
        assert.ok(backup && gone && file)
        await runCommand(backupCommand, [backup], { data })
        await runCommand(backupCommand, [gone], { data })
        rmSync(gone, { recursive: true })
        const words = ['--state', 'WI', '--format', 'csv', '--out', file]
        await runCommand(exportCommand, words, { data })
        const [mine, other] = ['mine.csv', 'other.csv'].map((name) => join(folder, name))
        assert.ok(mine && other)
        writeFileSync(mine, makeRoll(ROWS))
        writeFileSync(other, makeRoll(ROWS).replaceAll(/QAZMER/gi, 'OTTO'))
        const vintage = ['--mapping', 'platbook', '--vintage', '2020-01-01']
        for (const path of [other, mine]) {
          await runCommand(importCommand, [relative('.', path), ...vintage], { data })
        }
        const watch = async (owner: object) => {
          const body = { kind: 'owner', owner }
          return (await service.get('/public/watches/', '', { method: 'POST', body })).body.id
        }
        const hers = await watch({ lastName: 'Zyxwell', firstName: 'Qazmer', state: 'WI' })
        await watch({ lastName: 'Zyxwell', firstName: 'Otto', state: 'WI' })
        const asked = ['--owner', 'Qazmer Zyxwell', '--basis', 'a law']
        const roll = join(data, 'roll.csv')
        const older = (await suppress(['add', ...asked, '--json'])).json().older as string[]
        assert.deepEqual(older.slice(0, -1), [roll, backup, file, mine])
        assert.match(older.at(-1) ?? '', new RegExp(`^the watch ${hers} of acc_\\w+$`))
        const { out } = await suppress(['add', ...asked])
        assert.ok(out.includes(`may still hold it: ${backup}`), out)
        const shown = Buffer.from(readFileSync(join(data, 'copies.jsonl')))
        assert.deepEqual(found(shown.toString()), [])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
)

test('list, show, test and expire name nobody; an ended one is shown after the next import', () =>
  withService(async ({ service, suppress }) => {
    const words = ['--owner', 'Zyxwell, Qazmer', '--state', 'WI', '--basis', 'order 7']
    const added = await suppress(['add', ...words, '--until', '2001-01-01', '--json'])
    const [id] = added.json().suppressions as string[]
    assert.ok(id)
    const due = await suppress(['list', '--due'])
    assert.ok(due.out.includes(id))
    assert.deepEqual(found(due.out + (await suppress(['show', id])).out), [])
    const means = async (text: string, ...place: string[]) => {
      const asked = place.length > 0 ? place : ['--state', 'WI']
      return (await suppress(['test', text, ...asked, '--json'])).json().suppressed
    }
    assert.ok(await means('QAZMER ZYXWELL', '--name-order', 'mixed'), 'in any state')
    assert.equal(await means('QAZMER ZYXWELL', '--state', 'IL'), false)
    assert.ok(await means('QAZMER ZYXWELL'))
    assert.ok(await means('ZYXWELL QAZMER J'))
    assert.ok(await means('QAZMER ZYXWELL REVOCABLE TRUST'))
    assert.equal(await means('ZYXWELL, THEODORE'), false)
    assert.equal(await means('100 Plumfirth St'), false)
    await suppress(['expire', id])
    assert.equal(await means('QAZMER ZYXWELL'), false)
    await service.importRoll(makeRoll(ROWS))
    const { body } = await service.get('/public/premium/owner/', {
      state: 'WI',
      lastName: 'zyxwell',
    })
    assert.equal(body.metadata.count, 3)
  }))

test('a restore of an older backup keeps later suppressions', async () => {
  const service = await startService(makeRoll(ROWS), {
    data: mkdtempSync(join(tmpdir(), 'platbook-suppress-')),
  })
  const { data } = service.config
  const backup = join(data, '..', `backup-of-${data.split('/').at(-1)}`)
  try {
    await runCommand(backupCommand, [backup], { data })
    const words = ['--owner', 'Zyxwell, Qazmer', '--state', 'WI', '--scope', 'both', '--basis', 'x']
    await runCommand(command('add'), words, { data })
    await service.close()
    const report = await runCommand(restoreCommand, [backup, '--json'], { data })
    assert.equal(report.json().suppressions, 1)
    const again = await startService('', { data })
    try {
      const { body } = await again.get('/public/premium/owner/', {
        state: 'WI',
        lastName: 'zyxwell',
      })
      assert.equal(body.metadata.count, 1)
    } finally {
      await again.close()
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
    rmSync(backup, { recursive: true, force: true })
  }
})
