/**
 * The process that prepares `platbook start`: sample data, the demo account and its key, and an
 * example parcel. It ends before the service starts, and what an import needs of memory with it.
 */
import { newFacts } from '../../../accounts/account-facts.ts'
import { withAccounts } from '../../../accounts/accounts-data.ts'
import { demoKey, hashKey, prefixOf } from '../../../accounts/api-key.ts'
import { lookUpAddress } from '../../../address/lookup.ts'
import { closing } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { SAMPLE_ARCHIVE } from '../../../basemap/archives.ts'
import { makeArchive } from '../../../basemap/build.ts'
import { explainListening, findPort } from '../../../http/load/listening-sockets.ts'
import { makeOwnerQuestion, readOwners } from '../../../owner/canonical.ts'
import type { Parcel } from '../../../record/parcel.ts'
import { decodeParcel } from '../../../record/stored.ts'
import { countyByFips } from '../../../regions/counties.ts'
import { EARLIER_DAY } from '../../../sample/earlier.ts'
import type { GroundFeature } from '../../../sample/ground.ts'
import type { Config } from '../../../settings/config.ts'
import { loadSecrets } from '../../../store/key-secret.ts'
import { openStore, prepareData } from '../../../store/open.ts'
import type { CommandIo } from '../../command.ts'
import { explainFiles, explainRefusal } from '../../explain-errors.ts'
import { importSample } from '../rolls/sample.ts'

export type FirstRun = {
  key: string
  /** One request for each kind, about a loaded parcel; none when nothing fits. */
  requests: ExampleRequest[]
}
type ExampleRequest = { title: string; path: string; query: Record<string, string> }

export type FromFirstRun = FirstRun | { refused: string; exitCode: 1 | 2 }

const DEMO_KEY = 'key_demo'
const DEMO_ACCOUNT = 'acc_demo'
const SAMPLE = { parcels: 20_000, seed: 1 }
/** The newest sale is this old, so that comparables of the last months are found. */
const SALES_END_MS = 20 * 86_400_000

async function prepare(config: Config): Promise<FirstRun> {
  const report = (line: string) => void process.stderr.write(`${line}\n`)
  const terminal = process.stderr.isTTY === true
  const io = { config, json: false, stdin: process.stdin, print: report, report, terminal }
  await prepareData(config)
  await using store = closing(openStore(config))
  if ((await store.parcels.coverage()).length === 0) {
    // Half a minute of work would come before the same refusal by `serve`.
    await findPort(config).catch((error) => {
      throw new CommandError(explainListening(error, config), 1, error)
    })
    report(`Making a sample roll of ${SAMPLE.parcels.toLocaleString('en')} parcels …`)
    const salesEnd = new Date(Date.now() - SALES_END_MS).toISOString().slice(0, 10)
    const dated = { ...SAMPLE, salesEnd }
    const ground: GroundFeature[] = []
    const onGround = (feature: GroundFeature) => void ground.push(feature)
    await importSample({ ...io, now: Date.now }, { ...dated, onGround })
    await drawGround(config.data, ground)
    report('… and of one county the roll of the year before')
    const before = { ...dated, earlier: true }
    await importSample({ ...io, now: Date.now }, before, { vintage: EARLIER_DAY })
  }
  const key = await prepareDemo({ ...io, now: Date.now })
  return { key, requests: await findRequests(store.parcels) }
}

/** Makes the archive of what is under the sample's parcels on the console's map. */
async function drawGround(data: string, ground: readonly GroundFeature[]): Promise<void> {
  await makeArchive(SAMPLE_ARCHIVE, data, {
    attribution: 'Platbook, which invented it',
    async fill(features) {
      for (const feature of ground) features.add(feature)
    },
  })
}

/** Creates the demo account on the first run; its key is the same at every start. */
async function prepareDemo(io: CommandIo): Promise<string> {
  const secrets = loadSecrets(io.config.data, io.config.keySecret)
  const key = demoKey(secrets)
  await withAccounts(io, async ({ admin }) => {
    if ((await admin.account(DEMO_ACCOUNT)) === undefined) {
      const account = {
        id: DEMO_ACCOUNT,
        name: 'Demo',
        facts: newFacts([], io.now()),
        createdAt: io.now(),
      }
      await admin.createAccount(account)
    }
    if ((await admin.key(DEMO_KEY)) === undefined) {
      await admin.createKey({
        id: DEMO_KEY,
        accountId: DEMO_ACCOUNT,
        label: 'demo',
        prefix: prefixOf(key),
        createdAt: io.now(),
        ...hashKey(key, secrets[0] as (typeof secrets)[number]),
      })
    }
  })
  return key
}

async function findRequests(parcels: Parcels): Promise<ExampleRequest[]> {
  const example = await findExample(parcels)
  if (example === undefined) return []
  const { state, county, parcel, surname } = example
  const unit = parcel.unitNumberStripped
  return [
    {
      title: 'Address lookup',
      path: '/public/property/address/',
      query: { state, address: parcel.address ?? '', county, ...(unit !== null && { unit }) },
    },
    {
      title: 'Parcel ID lookup',
      path: '/public/property/parcelId/',
      query: { state, county, parcelId: parcel.parcelId },
    },
    {
      title: 'Premium owner search',
      path: '/public/premium/owner/',
      query: { state, lastName: surname },
    },
    {
      title: 'Property search',
      path: '/public/property/search/',
      query: { state, county, cursor: '' },
    },
  ]
}

type Example = { state: string; fips: number; county: string; parcel: Parcel; surname: string }
type Parcels = ReturnType<typeof openStore>['parcels']

async function findExample(parcels: Parcels): Promise<Example | undefined> {
  for (const { state, fips } of await parcels.coverage()) {
    const filter = { state, fips, assignedOnly: true }
    const page = await parcels.page(
      filter,
      { afterId: 0, skip: 0, limit: 100 },
      Number.MAX_SAFE_INTEGER,
    )
    for (const { id, fieldValues } of page.parcels) {
      const parcel = decodeParcel(fieldValues)
      const reading = readOwners([parcel.ownerName, parcel.ownerName2], 'mixed')
      const surname = reading.slots[0]?.persons[0]?.surname
      const county = countyByFips(fips)?.name
      if (surname === undefined || county === undefined || parcel.address === null) continue
      const example = { state, fips, county, parcel, surname }
      if (await answersItself(parcels, id, example)) return example
    }
  }
  return undefined
}

/** Reports whether the example requests find something, and the address lookup this parcel. */
async function answersItself(parcels: Parcels, id: number, example: Example): Promise<boolean> {
  const { state, fips, parcel, surname } = example
  const address = parcel.address ?? ''
  const unit = parcel.unitNumberStripped ?? undefined
  const asked = { state, fips, address, unit, city: undefined }
  const finding = await lookUpAddress(asked, parcels)
  const question = makeOwnerQuestion({ lastName: surname, fuzzy: false })
  if (finding.outcome !== 'found' || finding.hit.id !== id || question === undefined) return false
  const deadline = Number.MAX_SAFE_INTEGER
  const { hits } = await parcels.byOwner({ state, question, skip: 0, limit: 1, deadline })
  return hits.length > 0
}

process.once('message', async (config: Config) => {
  let answer: FromFirstRun
  try {
    answer = await prepare(config)
  } catch (error) {
    const explained = explainRefusal(explainFiles(error))
    if (!(explained instanceof CommandError)) throw explained
    answer = { refused: explained.message, exitCode: explained.exitCode }
  }
  process.send?.(answer)
  process.disconnect?.()
})
