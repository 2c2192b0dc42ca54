/**
 * Chooses how a query over several states is sent to a cluster: one statement for each state goes
 * to one shard, and one for all of them to every shard.
 */
import type { CoverageAsked, DegreeBox } from '../../../base/model/coverage.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import { PLACES } from './place-statements.ts'

/** Each returns `undefined` where one statement is for all states. */
export type SpreadStates = {
  /** States with points or polygons in a box, and perhaps others. */
  within(box: DegreeBox): Promise<string[] | undefined>
  /** States of a question about coverage, and perhaps others. */
  covering(asked: CoverageAsked): Promise<string[] | undefined>
}

/** Whether the rolls are distributed is read once. */
export function openSpreadStates(ask: Ask): SpreadStates {
  let isSpread: boolean | undefined

  async function list(text: string, values: unknown[]): Promise<string[]> {
    return (await ask<{ state: string }>(text, values)).map(({ state }) => state)
  }

  async function within({ west, south, east, north }: DegreeBox): Promise<string[] | undefined> {
    if (!(await readSpread())) return undefined
    return list(PLACES.states, [west, east, south, north].map(Math.floor))
  }

  async function readSpread(): Promise<boolean> {
    isSpread ??= (await ask<{ spread: boolean }>(PLACES.spread, []))[0]?.spread === true
    return isSpread
  }

  return {
    within,
    async covering({ states, boxes }) {
      if (!(await readSpread())) return undefined
      if (states !== undefined) return [...new Set(states)]
      if (boxes === undefined) return list(PLACES.loaded, [])
      const found = await Promise.all(boxes.map(within))
      return [...new Set(found.flatMap((one) => one ?? []))]
    },
  }
}
