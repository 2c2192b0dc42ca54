/** What is suppressed but still stored is shown by no answer: the last filter. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SuppressionScope } from '../../src/model/suppression.ts'
import { makeSuppression } from '../../src/privacy/suppress.ts'
import { openAccounts } from '../../src/store/open.ts'
import { makeRoll, times } from '../contract/rolls.ts'
import { ROOT } from '../ledger/running-service.ts'
import { operate } from '../processes/operator.ts'
import { NOON, startService, type TestService } from '../service.ts'
import { askApi, canaryRoll, HOME_PLACE, HOME_WORDS, OWNER_WORDS, type Shown } from './canaries.ts'

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
      config.data,
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
  await service.importRoll(canaryRoll(), GEOJSON)
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
  await service.importRoll(canaryRoll(), GEOJSON)
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
  service.setClock(Date.now())
  const { data } = service.config
  const roll = makeRoll([
    ...times(4000, (at) => ({
      parcelId: `P-${at}`,
      address: `${at} OAK ST`,
      ownerName1: 'DOE ANN',
    })),
    { parcelId: 'HIDE-1', address: '9 ELM ST', ownerName1: 'ZYXWELL, QAZMER J' },
  ])
  const file = join(data, 'import.csv')
  writeFileSync(file, roll)
  const words = [join(ROOT, 'src/cli/main.ts'), 'import', file, '--mapping', 'platbook']
  const child = spawn(process.execPath, [...words, '--data', data], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  // Long enough for it to have read what is suppressed, in nearly every run.
  await new Promise((resolve) => setTimeout(resolve, 700))
  const added = ['--owner', 'Qazmer J Zyxwell', '--state', 'WI', '--basis', 'a law']
  await operate(data, 'suppress', 'add', ...added)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const asked = { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }
  let found = 0
  for (let after = 0; after < 3; ) {
    service.setClock(Date.now())
    const { status, text } = await service.get('/public/property/parcelId/', asked)
    assert.doesNotMatch(text, /QAZMER/)
    const { status: byName } = await service.get('/public/premium/owner/', {
      ...{ state: 'WI', lastName: 'zyxwell' },
    })
    assert.equal(byName, 404)
    if (status === 200) found += 1
    if (isOver) after += 1
    else await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.equal((await ended)[0], 0)
  assert.ok(found > 0)
  const accounts = await openAccounts(service.config)
  assert.deepEqual(await accounts.reader.pendingSuppressions(), [])
  await accounts.close()
})
