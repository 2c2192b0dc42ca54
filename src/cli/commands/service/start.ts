/**
 * `platbook start`: the first run. Creates sample data, a demo account and its key, serves, and
 * prints example requests.
 */

import { DEFAULT_FACTS } from '../../../accounts/account-facts.ts'
import { withAccounts } from '../../../accounts/accounts-data.ts'
import { demoKey, hashKey, prefixOf } from '../../../accounts/api-key.ts'
import { lookUpAddress } from '../../../address/lookup.ts'
import { makeLinkToken } from '../../../console/sign-in/sessions.ts'
import { makeOwnerQuestion, readOwners } from '../../../owner/canonical.ts'
import type { Parcel } from '../../../record/parcel.ts'
import { decodeParcel } from '../../../record/stored.ts'
import { countyByFips } from '../../../regions/counties.ts'
import { openConsoleStore } from '../../../store/console-store.ts'
import { loadSecrets } from '../../../store/key-secret.ts'
import { openStore, prepareData } from '../../../store/open.ts'
import type { Command, CommandIo } from '../../command.ts'
import { importSample } from '../rolls/sample.ts'
import { hasConsole, readServeConfig, SERVE_ABOUT, SERVE_OPTIONS, serve } from './serve.ts'

const DEMO_ACCOUNT = 'acc_demo'
const DEMO_KEY = 'key_demo'
const SAMPLE = { parcels: 20_000, seed: 1 }

/** `start`: creates a sample, an account and a key when missing, then serves. */
export const startCommand: Command = {
  name: 'start',
  usage: '[--host 127.0.0.1] [--port 8080] [--workers N]',
  example: 'npm start\nplatbook start --port 9000',
  options: SERVE_OPTIONS,
  about: SERVE_ABOUT,
  more: `If nothing is loaded, it generates the sample: 20,000 invented parcels of four counties.
The demo account has no token limit, and its key is the same at every start. For real callers use
platbook serve and keys of your own.`,
  async run(args, io) {
    const config = readServeConfig(args, io)
    await prepareData(config)
    const store = openStore(config)
    const empty = (await store.parcels.coverage()).length === 0
    await store.close()
    if (empty) {
      io.report(`Making a sample roll of ${SAMPLE.parcels.toLocaleString('en')} parcels …`)
      await importSample({ ...io, json: false, print: io.report }, SAMPLE)
    }
    const key = await prepareDemo(io)
    const printLine = io.json ? io.report : io.print
    await serve(config, io, hasConsole(args), async (address, consoleAddress) => {
      for (const line of await greeting(io, address, key)) printLine(line)
      for (const line of greetConsole(io, consoleAddress)) printLine(line)
      printLine('Ctrl-C stops the service.')
    })
  },
}

/** Returns the line with a one-time sign-in link. */
function greetConsole({ config, now }: CommandIo, address: string | undefined): string[] {
  if (address === undefined) return []
  const store = openConsoleStore(config.data)
  try {
    const token = makeLinkToken(store, now())
    return [
      '',
      'The console; the link signs in once, within an hour:',
      `  ${address}/enter?token=${token}`,
      '',
    ]
  } finally {
    store.close()
  }
}

/** Creates the demo account on the first run; its key is the same at every start. */
async function prepareDemo(io: CommandIo): Promise<string> {
  const secrets = loadSecrets(io.config.data, io.config.keySecret)
  const key = demoKey(secrets)
  await withAccounts(io, async ({ admin }) => {
    if ((await admin.account(DEMO_ACCOUNT)) === undefined) {
      const account = { id: DEMO_ACCOUNT, name: 'Demo', facts: DEFAULT_FACTS, createdAt: io.now() }
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

/** Returns an example request for each endpoint, about a loaded parcel. */
async function greeting(io: CommandIo, address: string, key: string): Promise<string[]> {
  const store = openStore(io.config)
  try {
    const example = await findExample(store.parcels)
    if (example === undefined) return ['Nothing with an address and an owner is loaded yet.']
    const line = (title: string, path: string, query: Record<string, string>) => [
      `# ${title}`,
      `curl -H 'Authorization: ${key}' '${address}${path}?${new URLSearchParams(query)}'`,
    ]
    const { state, county, parcel, surname } = example
    return [
      '',
      'The demo key, with no limit of tokens:',
      `  ${key}`,
      'Try:',
      ...line('Address lookup', '/public/property/address/', {
        state,
        address: parcel.address ?? '',
        county,
        ...(parcel.unitNumberStripped !== null && { unit: parcel.unitNumberStripped }),
      }),
      ...line('Parcel ID lookup', '/public/property/parcelId/', {
        state,
        county,
        parcelId: parcel.parcelId,
      }),
      ...line('Premium owner search', '/public/premium/owner/', { state, lastName: surname }),
      ...line('Property search', '/public/property/search/', { state, county, cursor: '' }),
      '',
      `Records are flat; nested ones: platbook account set ${DEMO_ACCOUNT} responseShape=nested`,
      'The interface is described at /openapi.json and in docs/api.md.',
    ]
  } finally {
    await store.close()
  }
}

type Example = { state: string; fips: number; county: string; parcel: Parcel; surname: string }
type Parcels = ReturnType<typeof openStore>['parcels']

/** Finds the first parcel of a loaded county with an address and a person's name. */
async function findExample(parcels: Parcels): Promise<Example | undefined> {
  for (const { state, fips } of await parcels.coverage()) {
    const filter = { state, fips, assignedOnly: true }
    const page = await parcels.page(filter, 0, 0, 100, Number.MAX_SAFE_INTEGER)
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
