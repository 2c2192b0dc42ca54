/** Records without the fields that have no value, for accounts that want them so. */
import { giveBack, type Rendered } from './render.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * An answer whose records leave out what is null, at any depth. What stands beside the records
 * stays: `metadata` keeps its nulls.
 *
 * Reads the rendered JSON again, which costs more than rendering did; it runs for accounts with
 * `emptyFields=omit` alone.
 */
export function omitEmpty(body: Rendered): string {
  const answer = JSON.parse(body.toString()) as { [name: string]: Json }
  if (typeof body !== 'string') giveBack(body)
  for (const name of ['property', 'properties', 'comparables']) {
    const records = answer[name]
    if (records !== undefined) answer[name] = withoutNulls(records)
  }
  return JSON.stringify(answer)
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutNulls(one)]))
}
