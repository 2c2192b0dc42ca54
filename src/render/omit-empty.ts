/** Removes empty fields from records, for accounts with that setting. */
import { type Rendered, releaseBuffer } from './render.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * Returns an answer whose records omit nulls at any depth. Data beside the records is unchanged:
 * `metadata` keeps its nulls.
 *
 * Parses the rendered JSON again, which takes longer than rendering; only used for accounts with
 * `emptyFields=omit`.
 */
export function omitEmpty(body: Rendered): string {
  const answer = JSON.parse(body.toString()) as { [name: string]: Json }
  if (typeof body !== 'string') releaseBuffer(body)
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
