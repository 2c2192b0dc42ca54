/**
 * Maintains the databases of states while the service runs: migrates one that was unreachable at
 * the start when it is back, and fills in the places of older parcels in each.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { listHomes, type RollsPlace } from '../base/model/state-databases.ts'
import { migrateReached } from '../store/postgres/by-state/bring-up.ts'
import { describeServer } from '../store/postgres/pool/connection.ts'
import { type PlaceFilling, startPlaceFilling } from './place-filling.ts'

const RETRY_MS = 2000

/**
 * Starts filling places in a data folder or in databases. `waiting`: addresses that were
 * unreachable when the service was prepared. `report` is called with what an operator should know.
 */
export async function tendDatabases(
  place: RollsPlace,
  waiting: readonly string[],
  report: (line: string) => void,
): Promise<PlaceFilling> {
  if (typeof place === 'string') return startPlaceFilling(place, report)
  const fillings: PlaceFilling[] = []
  const stopping = new AbortController()
  const fill = async (url: string) => void fillings.push(await startPlaceFilling(url, report))
  const missed = waiting.map((url) => tryLater(url))
  for (const { url, isMain } of listHomes(place)) {
    if (waiting.includes(url)) continue
    const filling = fill(url)
    if (isMain) await filling
    else await filling.catch(() => void missed.push(tryLater(url)))
  }

  async function tryLater(url: string): Promise<void> {
    report(`${describeServer(url)} cannot be reached; its states answer 503 until it is back`)
    while (!stopping.signal.aborted) {
      try {
        await sleep(RETRY_MS, undefined, { ref: false, signal: stopping.signal })
        if (!(await migrateReached(url))) continue
        await fill(url)
        report(`${describeServer(url)} is there`)
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        report((error as Error).message)
      }
    }
  }

  return {
    async stop() {
      stopping.abort()
      await Promise.all(missed)
      await Promise.all(fillings.map((filling) => filling.stop()))
    },
  }
}
