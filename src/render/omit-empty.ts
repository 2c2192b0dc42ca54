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
    if (typeof records === 'object' && records !== null) dropNulls(records)
  }
  return JSON.stringify(answer)
}

/** Makes nulls undefined in place, which `JSON.stringify` leaves out. */
function dropNulls(value: Json[] | { [name: string]: Json | undefined }): void {
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object' && one !== null) dropNulls(one)
    return
  }
  for (const name in value) {
    const one = value[name]
    if (one === null) value[name] = undefined
    else if (typeof one === 'object') dropNulls(one)
  }
}
