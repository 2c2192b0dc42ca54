/** No answer shows suppressed data that is still stored: the filter before rendering. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SuppressionScope } from '../../src/base/model/suppression.ts'
import { enrichCommand } from '../../src/cli/commands/rolls/enrich.ts'
import { explainCommand } from '../../src/cli/commands/rolls/explain.ts'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { openContext } from '../../src/console/context.ts'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { runImport } from '../../src/import/run.ts'
import { followSuppressions } from '../../src/privacy/follow-suppressions.ts'
import { makeSuppression } from '../../src/privacy/suppress.ts'
import { openAccounts, openParcels } from '../../src/store/open.ts'
import { runCommand } from '../command.ts'
import { makeRoll } from '../contract/rolls.ts'
import { NOON, startService, type TestService } from '../service.ts'
import {
  askApi,
  canaryRoll,
  HOME_PLACE,
  HOME_WORDS,
  NAMED_ELSEWHERE,
  OWNER_WORDS,
  type Shown,
} from './canaries.ts'

const GEOJSON = { name: 'roll.geojson', geometry: true }

async function open(t: TestContext): Promise<TestService> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-guard-'))
  const service = await startService('', { data })
  t.after(async () => {
    await service.close()
    rmSync(data, { recursive: true, force: true })
  })
  return service
}

/** Suppressions whose command has not rewritten anything yet; gives what ends their wait. */
async function addPending(
  { config }: TestService,
  asked: [kind: 'owner' | 'address' | 'property', text: string, scope: SuppressionScope][],
): Promise<() => Promise<void>> {
  const made = asked.map(([kind, text, scope]) =>
    makeSuppression(
      {
        ...{ kind, text, scope, basis: 'a law', until: null, nameOrder: 'mixed' },
        place: { state: 'WI', fips: 55025 },
      },
      config,
      NOON,
    ),
  )
  const accounts = await openAccounts(config)
  const ids = made.map(({ id }) => id)
  await accounts.admin.markSuppressions(ids, 'pending')
  await accounts.admin.putSuppressions(made)
  return async () => {
    await accounts.admin.markSuppressions(ids, 'settled')
    await accounts.close()
  }
}

function listShown(shown: Shown, words: string[]): string[] {
  return [...shown].flatMap(([place, text]) => {
    const word = words.find((one) => text.toUpperCase().includes(one))
    return word === undefined ? [] : [`${place}: ${word}`]
  })
}

async function ask(service: TestService): Promise<Shown> {
  const shown: Shown = new Map()
  await askApi(service, shown)
  return shown
}

test('no operation shows a suppressed owner that is still stored', async (t) => {
  const service = await open(t)
  await service.importRoll(canaryRoll('', true, NAMED_ELSEWHERE), GEOJSON)
  const settle = await addPending(service, [
    ['owner', 'Qazmer Zyxwell', 'owner'],
    ['owner', 'VORTIGAN MARA', 'owner'],
  ])
  service.setClock(NOON + 300)
  assert.deepEqual(listShown(await ask(service), OWNER_WORDS), [])
  const query = { state: 'WI', lastName: 'zyxwell' }
  assert.equal((await service.get('/public/premium/owner/', query)).status, 404)
  await settle()
  service.setClock(NOON + 600)
  assert.ok(listShown(await ask(service), OWNER_WORDS).length > 0, 'the filter hid them')
})

test('no operation shows a suppressed home that is still stored', async (t) => {
  const service = await open(t)
  await service.importRoll(canaryRoll('', true, NAMED_ELSEWHERE), GEOJSON)
  const settle = await addPending(service, [
    ['address', '100 Plumfirth St', 'address'],
    ['address', '102 Plumfirth St', 'address'],
  ])
  service.setClock(NOON + 300)
  const words = [...HOME_WORDS, ...HOME_PLACE]
  // Bounds of a whole county are made when it is rewritten.
  const shown = [...(await ask(service))].filter(([place]) => !/ (coverage|tiles)/.test(place))
  assert.deepEqual(listShown(new Map(shown), words), [])
  await settle()
})

test('a parcel that is hidden whole and still stored is found by nothing', async (t) => {
  const service = await open(t)
  await service.importRoll(canaryRoll(), GEOJSON)
  const settle = await addPending(service, [
    ['property', '55025-HIDE-1', 'both'],
    ['property', '55025-HIDE-2', 'both'],
  ])
  service.setClock(NOON + 300)
  const shown = [...(await ask(service))].filter(([place]) => !place.includes('changes'))
  assert.deepEqual(listShown(new Map(shown), ['55025-HIDE', ...OWNER_WORDS, ...HOME_WORDS]), [])
  await settle()
})

test('an import that began before a suppression shows nobody when it ends', async (t) => {
  const service = await open(t)
  const { config } = service
  const file = join(config.data, 'import.csv')
  writeFileSync(file, makeRoll([{ parcelId: 'HIDE-1', ownerName1: 'ZYXWELL, QAZMER J' }]))
  const asked = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
  let added: Awaited<ReturnType<typeof addPending>> | undefined
  const newer = followSuppressions({ config, now: () => NOON })
  const filter = async () => {
    // Applied to the stored parcels, of which this one is not yet part.
    added = await addPending(service, [['owner', 'Qazmer J Zyxwell', 'owner']])
    await added()
    await newer.filter()
  }
  await runImport({ ...importJob(config, file), newer: { filter } })
  const store = openParcels(config)
  const find = { state: 'WI', question: ZYXWELL, skip: 0, limit: 9, deadline: Infinity }
  const { hits } = await store.parcels.byOwner(find)
  await store.close()
  assert.equal(hits.length, 1, 'what the import wrote holds the name')
  service.setClock(NOON + 300)
  const { status, text } = await service.get('/public/property/parcelId/', asked)
  assert.equal(status, 200)
  assert.doesNotMatch(text, /QAZMER/)
  const search = { state: 'WI', lastName: 'zyxwell' }
  assert.equal((await service.get('/public/premium/owner/', search)).status, 404)
  await newer.enforce()
  assert.doesNotMatch(readFileSync(join(config.data, 'parcels.db'), 'latin1'), /QAZMER/)
  const accounts = await openAccounts(config)
  assert.deepEqual(await accounts.reader.pendingSuppressions(), [])
  await accounts.close()
})

test('an import by the command applies pending suppressions', async (t) => {
  const service = await open(t)
  const { config } = service
  await addPending(service, [['owner', 'Qazmer J Zyxwell', 'owner']])
  const file = join(config.data, 'import.csv')
  writeFileSync(file, makeRoll([{ parcelId: 'HIDE-1', ownerName1: 'ZYXWELL, QAZMER J' }]))
  await runCommand(importCommand, [file, '--mapping', 'platbook'], { data: config.data, now: NOON })
  const accounts = await openAccounts(config)
  assert.deepEqual(await accounts.reader.pendingSuppressions(), [])
  await accounts.close()
})

test('a node without the secret shows no parcel while a suppression is pending', async (t) => {
  const service = await open(t)
  const { config, logged } = service
  await service.importRoll(canaryRoll('', true, NAMED_ELSEWHERE), GEOJSON)
  const settle = await addPending(service, [['owner', 'Qazmer Zyxwell', 'owner']])
  const [secret, away] = [join(config.data, 'suppression.secret'), join(config.data, 'away')]
  renameSync(secret, away)
  service.setClock(NOON + 300)
  const home = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
  const get = (path: string, query: Record<string, string>) =>
    service.get(`/public/${path}/`, query)
  for (const [path, query] of [
    ['property/parcelId', home],
    ['property/address', { state: 'WI', address: '100 Plumfirth St' }],
    ['property/search', { state: 'WI' }],
    ['premium/owner', { state: 'WI', lastName: 'zyxwell' }],
    ['premium/owner', { state: 'WI', lastName: 'nobody' }],
  ] as const) {
    const { status, body } = await get(path, query)
    assert.deepEqual([status, body], [503, { error: 'Service temporarily unavailable' }], path)
  }
  assert.equal((await get('usage', {})).status, 200, 'what shows no parcel is answered')
  const told = logged.filter((line) => line.includes('suppression.secret is missing'))
  assert.ok(told.length > 0, logged.join('\n'))
  for (const [command, words] of [
    [exportCommand, ['--state', 'WI', '--format', 'csv', '--out', join(config.data, 'out.csv')]],
    [explainCommand, ['owner', 'zyxwell', '--state', 'WI']],
  ] as const) {
    const run = () => runCommand(command, [...words], { data: config.data })
    await assert.rejects(run, /suppression/, command.name)
  }
  renameSync(away, secret)
  const { status, text } = await get('property/parcelId', home)
  assert.equal(status, 200, 'the secret is tried again without a restart')
  assert.deepEqual(listShown(new Map([['', text]]), OWNER_WORDS), [])
  await settle()
})

test('pages of the console and answers of commands are filtered, too', async (t) => {
  const service = await open(t)
  await service.importRoll(canaryRoll('', true, NAMED_ELSEWHERE), GEOJSON)
  const pages = openContext(service.config, service.address, () => {})
  t.after(() => pages.close())
  const asked = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
  const ask = async () => JSON.stringify((await pages.ask('parcelIdLookup', asked)).body)
  assert.match(await ask(), /QAZMER/)
  const settle = await addPending(service, [
    ['owner', 'Qazmer Zyxwell', 'owner'],
    ['owner', 'VORTIGAN MARA', 'owner'],
  ])
  assert.deepEqual(listShown(new Map([['', await ask()]]), OWNER_WORDS), [])
  const parcels = await pages.parcels()
  assert.deepEqual(await parcels.addressesWithPrefix('WI', '100|', 10), [])
  const list = join(service.config.data, 'list.csv')
  const out = join(service.config.data, 'enriched.csv')
  writeFileSync(list, 'parcelId,county,state\nHIDE-1,Dane,WI\n')
  await runCommand(enrichCommand, [list, '--out', out], { data: service.config.data })
  const told = await runCommand(explainCommand, ['owner', 'zyxwell', '--state', 'WI'], {
    data: service.config.data,
  })
  const shown = new Map([
    ['enrichment', readFileSync(out, 'utf8')],
    ['explain', told.out],
  ])
  assert.deepEqual(listShown(shown, ['QAZMER', 'VORTIGAN']), [])
  await settle()
})

/** Every person of the surname. */
const ZYXWELL = { lastName: { personHeads: ['ZYXWELL'], organizationHeads: [] } }

/** The job of `platbook import FILE --mapping platbook`. */
function importJob({ data, databaseUrl }: TestService['config'], file: string) {
  const unset = { state: undefined, county: undefined, forcedOrder: undefined, rollYear: undefined }
  return {
    ...{ files: [file], mapping: loadMapping('platbook'), dataDir: data, databaseUrl },
    ...{ ...unset, today: '2026-03-10', geometry: false, partial: false },
    ...{ dryRun: false, force: false },
    sink: { terminal: false, report() {}, draw() {}, now: () => NOON },
  }
}
