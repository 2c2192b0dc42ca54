/**
 * Suppressed owners and homes in answers that are made of facts, on both stores: while they are
 * still stored, and after they are rewritten.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { SuppressionScope } from '../../src/base/model/suppression.ts'
import { suppressAdd } from '../../src/cli/commands/rolls/suppress.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { makeSuppression } from '../../src/privacy/suppress.ts'
import { openAccounts } from '../../src/store/open.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row, times } from '../contract/rolls.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { NOON, startService, type TestService } from '../service.ts'

const OWNED: Row = {
  ...{ ownerName1: 'ZYXWELL, QAZMER J', ownerCareOf: 'T VORTIGAN', city: 'MADISON' },
  ...{ ownerAddressLine1: '9 WUTHLINE WAY', ownerCity: 'CARROWEN', ownerState: 'NV' },
  ownerZipCode: '89999',
}
const NEIGHBOR: Row = { ...OWNED, ownerName1: 'HOLLOW REED LLC' }
const mailedTo = (ownerAddressLine1: string): Row => ({
  ...{ ownerName1: 'LORN, IDA', ownerAddressLine1, ownerCity: 'MADISON', ownerState: 'WI' },
})
const ROLL = makeRoll([
  { ...OWNED, parcelId: 'HIDE-1', address: '100 PLUMFIRTH ST', subdivision: 'OAKHALLOW' },
  { ...OWNED, parcelId: 'HIDE-2', address: '102 PLUMFIRTH ST', subdivision: 'OAKHALLOW' },
  { ...NEIGHBOR, parcelId: 'OPEN-1', address: '200 ELM ST' },
  // Parcels of others, which only name the owner and the home.
  { ...NEIGHBOR, parcelId: 'SOLD-1', address: '202 ELM ST', grantor: 'ZYXWELL, QAZMER J' },
  { parcelId: 'MAIL-1', address: '204 OAK ST', zipCode: '53711', ...mailedTo('100 PLUMFIRTH ST') },
  ...times(20, (number) => ({
    ...{ parcelId: `P${number}`, address: `${number} ELM ST`, city: 'MADISON' },
    ...{ ownerName1: `CLIENT${number} HOLDINGS LLC`, ownerState: 'WI' },
  })),
])

const stores: [name: string, url: () => Promise<string | null>][] = [
  ['the embedded store', async () => null],
]
if (whyNoServer() === undefined) {
  const server = await shareServer()
  after(() => server.stop())
  let made = 0
  stores.push(['PostgreSQL', () => server.createDatabase(`hidden${++made}`)])
}

const SEARCH = '/public/property/search/'
const SUMMARY = '/public/property/summary/'

/** Requests whose answers name or count the owner, by the text or number that does. */
const BY_OWNER: [path: string, query: string, shows: RegExp][] = [
  [SUMMARY, 'groupBy=owner&top=100', /ZYXWELL/],
  [SUMMARY, 'groupBy=owner,city', /ZYXWELL/],
  [SUMMARY, 'groupBy=city&ownerZipCode=89999&ownerType=individual', /"count":[12]\b/],
  [SUMMARY, 'groupBy=ownerState,ownerType', /"NV","ownerType":"individual"/],
  [SEARCH, 'ownerState=nv', /HIDE-/],
  [SEARCH, 'ownerZipCode=89999&countOnly=true', /"total":4\b/],
  [SEARCH, 'outOfStateOwner=true&includeTotal=true', /HIDE-|"total":4\b/],
  [SEARCH, 'ownerType=individual&sort=-acres', /HIDE-/],
  ['/public/suggest/', 'q=zyxw&kinds=owner', /ZYXWELL/],
  ['/public/premium/network/', 'propertyId=55025-OPEN-1', /ZYXWELL|HIDE-/],
  ['/public/premium/network/', 'propertyId=55025-HIDE-1', /ZYXWELL/],
]
const BY_HOME: typeof BY_OWNER = [
  [SEARCH, 'city=madison', /HIDE-/],
  [SEARCH, 'city=madison&includeUnassignedAddress=true&cursor=', /HIDE-/],
  [SUMMARY, 'groupBy=zipCode&subdivision=oakhallow', /"count":[12]\b/],
  [SEARCH, 'subdivision=oakhallow', /HIDE-/],
  [SEARCH, 'subdivision=oakhallow&countOnly=true', /"total":2\b/],
  ['/public/suggest/', 'q=100 p', /PLUMFIRTH/],
  ['/public/suggest/', 'q=100', /PLUMFIRTH/],
  ['/public/suggest/', 'q=plumf', /PLUMFIRTH/],
  ['/public/suggest/', 'q=plunfirth', /PLUMFIRTH/],
  ['/public/suggest/', 'q=oakh', /OAKHALLOW/],
]

/** Requests that find the parcels of others, before and after. */
const OF_OTHERS: typeof BY_OWNER = [
  [SEARCH, 'ownerState=nv&ownerType=company&includeTotal=true', /SOLD-1.*"total":[23]\b/],
  [SUMMARY, 'groupBy=owner&top=100', /HOLLOW REED/],
  [SEARCH, 'zipCode=53711', /MAIL-1/],
  [SEARCH, 'zipCode=53711&hasSitus=true', /MAIL-1/],
]

async function listShown(service: TestService, asked: typeof BY_OWNER): Promise<string[]> {
  const shown: string[] = []
  for (const [path, query, shows] of asked) {
    const at = query.startsWith('propertyId') ? query : `state=WI&${query}`
    const { status, text } = await service.get(path, at.replaceAll(' ', '+'))
    assert.ok(status === 200 || status === 404, `${path}?${query}: ${status} ${text}`)
    if (shows.test(text)) shown.push(`${path}?${query}`)
  }
  return shown
}

/** Suppressions that are known and not in effect on the store yet. */
async function addPending(
  { config }: TestService,
  kinds: ['owner' | 'address', string][],
  scope: SuppressionScope,
) {
  const made = kinds.map(([kind, text]) =>
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
  await accounts.close()
}

async function apply(
  { config }: TestService,
  kinds: ['owner' | 'address', string][],
  scope: SuppressionScope,
) {
  for (const [kind, text] of kinds) {
    const where = ['--state', 'WI', '--county', 'Dane', '--scope', scope, '--basis', 'a law']
    const env = {
      ...(config.databaseUrl !== null && { PLATBOOK_DATABASE_URL: config.databaseUrl }),
    }
    const { code, err } = await runCommand(suppressAdd, [`--${kind}`, text, ...where], {
      data: config.data,
      env,
    })
    assert.equal(code, 0, err)
  }
}

async function check({ config: { data, databaseUrl } }: TestService): Promise<string> {
  const env = { ...(databaseUrl !== null && { PLATBOOK_DATABASE_URL: databaseUrl }) }
  const { out, err } = await runCommand(checkCommand, [], { data, env })
  return out + err
}

const OWNER: ['owner', string] = ['owner', 'Qazmer J Zyxwell']
const HOMES: ['address', string][] = [
  ['address', '100 Plumfirth St'],
  ['address', '102 Plumfirth St'],
]
const CASES: [
  scope: SuppressionScope,
  of: ['owner' | 'address', string][],
  asked: typeof BY_OWNER,
][] = [
  ['owner', [OWNER], BY_OWNER],
  ['both', [OWNER], [...BY_OWNER, ...BY_HOME]],
  ['address', HOMES, BY_HOME],
]

for (const [name, findUrl] of stores) {
  // The stores share what hides; PostgreSQL has the case of most facts.
  for (const [scope, of, asked] of name === 'PostgreSQL' ? CASES.slice(1, 2) : CASES) {
    test(`${name}: what the scope ${scope} hides is in no answer of facts`, async () => {
      const data = mkdtempSync(join(tmpdir(), 'platbook-hidden-'))
      const settings = { data, databaseUrl: await findUrl(), keySecret: 's'.repeat(32) }
      const service = await startService(ROLL, settings)
      try {
        const all = await listShown(service, asked)
        assert.deepEqual(
          all,
          asked.map(([path, query]) => `${path}?${query}`),
        )
        await addPending(service, of, scope)
        service.setClock(NOON + 300)
        assert.deepEqual(await listShown(service, asked), [], 'while it is still stored')
        const others = OF_OTHERS.map(([path, query]) => `${path}?${query}`)
        assert.deepEqual(await listShown(service, OF_OTHERS), others)
        await apply(service, of, scope)
        service.setClock(NOON + 600)
        assert.deepEqual(await listShown(service, asked), [], 'after it is rewritten')
        assert.deepEqual(await listShown(service, OF_OTHERS), others)
        assert.doesNotMatch(await check(service), /facts/)
      } finally {
        await service.close()
        rmSync(data, { recursive: true, force: true })
      }
    })
  }
}
