/** Kills processes of a service while an import changes watched parcels and events are sent. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type EventReceiver, startEventReceiver } from '../contract/watches/receiver.ts'
import { ROOT, type RunningService, startRunning } from '../ledger/running-service.ts'
import { makeCustomer, operate } from './operator.ts'

export type Victim = 'notifier' | 'worker' | 'ledger' | 'primary' | 'import'
/** Milliseconds after the import began, or when a delivery has arrived and is not answered. */
export type Moment = number | 'delivery'

const PARCELS = 250
const roll = (value: number) =>
  'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue\n' +
  Array.from(
    { length: PARCELS },
    (_, at) => `WI,Dane,${at},"DOE, JO",last-first,${at + 1} A ST,${value}`,
  ).join('\n')

/**
 * Kills a process at a moment of an import, lets the service recover, and checks that each event
 * was received, and always under one `webhook-id`.
 */
export async function killAt(victim: Victim, moment: Moment): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-watch-kill-'))
  const receiver = await startEventReceiver()
  const env = { PLATBOOK_WATCH_PRIVATE: 'all' }
  let service: RunningService | undefined
  try {
    const { key } = await makeCustomer(data)
    const file = join(data, 'roll.csv')
    writeFileSync(file, roll(1000))
    await operate(data, 'import', file, '--mapping', 'platbook')
    service = await startRunning({ data, workers: 1, env })
    const watch = await makeWatch(service, key, receiver.url)
    if (moment === 'delivery') receiver.status = null
    writeFileSync(file, roll(2000))
    const args = ['import', file, '--mapping', 'platbook', '--force', '--data', data]
    const importing = spawn(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args], {
      stdio: 'ignore',
    })
    const imported = once(importing, 'exit')
    if (moment === 'delivery') await until(() => receiver.taken.length > 0)
    else await wait(moment)
    if (victim === 'import') importing.kill('SIGKILL')
    else if (victim === 'primary') await service.killAll()
    else for (const pid of service.pids(victim)) process.kill(pid, 'SIGKILL')
    receiver.status = 200
    await imported
    // What a killed import left undone is loaded again.
    if (victim === 'import') await operate(data, ...args.slice(0, 5))
    if (victim === 'primary') service = await startRunning({ data, workers: 1, env })
    await until(() => received(receiver).size === PARCELS)
    const running = service
    const pulled = await until(() => pullAll(running, key, watch).catch(() => undefined))
    assert.deepEqual(new Set(pulled), new Set(received(receiver).keys()))
    assert.equal(new Set(pulled).size, pulled.length)
    for (const [id, deliveries] of received(receiver)) assert.equal(deliveries.size, 1, id)
  } finally {
    await service?.killAll()
    await receiver.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/** The deliveries in which each event arrived. */
function received({ taken }: EventReceiver): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { body, headers } of taken) {
    for (const { id } of JSON.parse(body).events as { id: string }[]) {
      found.set(id, (found.get(id) ?? new Set()).add(String(headers['webhook-id'])))
    }
  }
  return found
}

async function makeWatch({ address }: RunningService, key: string, url: string): Promise<string> {
  const body = JSON.stringify({ kind: 'search', search: 'state=WI', url })
  const headers = { authorization: key, 'content-type': 'application/json' }
  // The notifier process starts beside the workers.
  return until(async () => {
    const answer = await fetch(`${address}/public/watches/`, { method: 'POST', headers, body })
    return answer.status === 201 ? ((await answer.json()) as { id: string }).id : undefined
  })
}

async function pullAll({ address }: RunningService, key: string, watch: string) {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const url = `${address}/public/watches/${watch}/events/?cursor=${cursor}`
    const answer = await fetch(url, { headers: { authorization: key } })
    assert.equal(answer.status, 200)
    const { events, metadata } = (await answer.json()) as {
      events: { id: string }[]
      metadata: { nextCursor: string }
    }
    if (events.length === 0) return ids
    ids.push(...events.map(({ id }) => id))
    cursor = metadata.nextCursor
  }
}

/** Waits for something that happens within two minutes on any machine. */
async function until<Value>(
  find: () => Value | Promise<Value>,
): Promise<Exclude<Value, undefined | false>> {
  for (let time = 0; time < 2400; time += 1) {
    const found = await find()
    if (found !== undefined && found !== false) return found as Exclude<Value, undefined | false>
    await wait(50)
  }
  return assert.fail('it did not happen within two minutes')
}
