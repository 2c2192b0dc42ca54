/**
 * Other load during the soak: webhooks of a stand-in for Stripe, syncs of a small roll that changes
 * each time, and a person who reads pages of the console.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import {
  addCustomer,
  FAKE_KEY,
  FAKE_SECRET,
  type FakeStripe,
  signEvent,
  startFakeStripe,
} from '../../test/billing/fake-stripe.ts'
import { actAs, PASSPHRASE } from '../../test/console/running-console.ts'
import { makeCustomer, ROOT } from '../../test/ledger/running-service.ts'
import { rollText, serve, startRolls } from '../../test/sources/roll-server.ts'

/** Pauses between two of a kind, milliseconds. */
const WEBHOOK_MS = 500
const PAGE_MS = 1000

const PROGRAM = join(ROOT, 'src/cli/main.ts')
const CUSTOMER = 'cus_soak'
const PAGES = ['/search?state=WI&county=Dane', '/coverage', '/imports', '/accounts', '/operation']

export type Company = {
  /** Settings of the service. */
  env: Record<string, string>
  /** Number of actions so far, by kind and outcome: `webhook 200`. */
  counts: Record<string, number>
  /** Starts all actions against the service at this address. */
  begin(address: string): Promise<void>
  end(): Promise<void>
  /** Syncs the small roll once, between two imports: only one of either runs at a time. */
  sync(): Promise<void>
}

export async function startCompany(data: string): Promise<Company> {
  const fake = await startFakeStripe()
  const rolls = await startRolls()
  const counts: Record<string, number> = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const sync = writeSource(data, rolls)
  let going = true
  let console: ChildProcess | undefined
  let loops: Promise<void>[] = []
  const repeat = async (what: string, pauseMs: number, work: () => Promise<string>) => {
    while (going) {
      count(
        await work().then(
          (outcome) => `${what} ${outcome}`,
          () => `${what} failed`,
        ),
      )
      await setTimeout(pauseMs)
    }
  }
  return {
    counts,
    env: {
      PLATBOOK_STRIPE_KEY: FAKE_KEY,
      PLATBOOK_STRIPE_WEBHOOK_SECRET: FAKE_SECRET,
      PLATBOOK_STRIPE_API: fake.address,
    },
    async begin(address) {
      const event = await makeLinked(data, fake)
      const started = await startConsole(data, address)
      console = started.child
      const person = await actAs(started.address, started.cookie)
      let asked = 0
      loops = [
        repeat('webhook', WEBHOOK_MS, () => sendEvent(address, fake, event)),
        repeat('console', PAGE_MS, async () => {
          asked += 1
          const { status, text } = await readPage(person.get(PAGES[asked % PAGES.length] ?? '/'))
          return text === '' ? `${status} empty` : String(status)
        }),
      ]
    },
    async sync() {
      count(await sync().catch(() => 'sync failed'))
    },
    async end() {
      going = false
      await Promise.all(loops)
      console?.kill('SIGTERM')
      await Promise.all([fake.close(), rolls.close()])
    },
  }
}

async function readPage(asked: Promise<Response>): Promise<{ status: number; text: string }> {
  const response = await asked
  return { status: response.status, text: await response.text() }
}

/** An account of the stand-in's customer. */
async function makeLinked(data: string, fake: FakeStripe) {
  const { account } = makeCustomer(data)
  const month = new Date().toISOString().slice(0, 7)
  const period = { start: `${month}-01`, end: `${month}-28` }
  const made = addCustomer(fake, CUSTOMER, { platbook_included: 'unlimited' }, period)
  const accounts = await openAccounts(readConfig({ PLATBOOK_DATA: data }))
  await accounts.billing.link(account, CUSTOMER, Date.now())
  await accounts.close()
  return made.subscription
}

async function sendEvent(address: string, fake: FakeStripe, subscription: object) {
  const { body, signature } = signEvent(fake.emit('customer.subscription.updated', subscription))
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
  const answer = await fetch(`${address}/billing/stripe/webhook`, { method: 'POST', headers, body })
  await answer.text()
  return String(answer.status)
}

/** Syncs a roll of 200 parcels of a county of its own, with one more parcel each time. */
function writeSource(data: string, rolls: Awaited<ReturnType<typeof startRolls>>) {
  const mapping = {
    name: 'soak-sync',
    title: 'Invented county',
    state: 'TX',
    nameOrder: 'last-first',
    fields: { parcelId: 'PIN', ownerName1: 'OWNER', address: 'SITUS', city: { constant: 'WACO' } },
  }
  const mappingFile = join(data, 'soak-map.json')
  writeFileSync(mappingFile, JSON.stringify(mapping))
  const url = `${rolls.origin}/roll.csv`
  const source = { id: 'tx-soak', state: 'TX', counties: ['48309'], url, mapping: mappingFile }
  const sources = join(data, 'soak-sources.json')
  writeFileSync(sources, JSON.stringify([{ ...source, updates: 'weekly' }]))
  let parcels = 200
  let isAdded = false
  return async () => {
    parcels += 1
    rolls.answers.set('/roll.csv', serve(rollText(parcels), { etag: `"${parcels}"` }))
    if (!isAdded) await run(['sources', 'add', sources], data)
    isAdded = true
    await run(['sync', 'tx-soak', '--allow-private'], data)
    return 'sync loaded'
  }
}

async function run(words: string[], data: string): Promise<string> {
  const all = [PROGRAM, ...words, '--data', data]
  return (await promisify(execFile)(process.execPath, all)).stdout
}

/** The console as a process of its own, and the cookie of an operator who has signed in. */
async function startConsole(data: string, service: string) {
  const making = promisify(execFile)(process.execPath, [
    ...[PROGRAM, 'operator', 'create', 'soak', '--role', 'admin', '--passphrase-stdin'],
    ...['--data', data],
  ])
  making.child.stdin?.end(`${PASSPHRASE}\n`)
  await making
  const child = spawn(process.execPath, [PROGRAM, 'console', '--json', '--data', data], {
    env: { ...process.env, PLATBOOK_CONSOLE_PORT: '0', PLATBOOK_PORT: new URL(service).port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const line = await new Promise<string>((resolve) => lines.once('line', resolve))
  const address = String(JSON.parse(line).address)
  const response = await fetch(`${address}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: address },
    body: new URLSearchParams({ name: 'soak', passphrase: PASSPHRASE }),
  })
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  return { child, address, cookie }
}
