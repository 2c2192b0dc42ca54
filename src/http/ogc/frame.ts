/** Fills in the documents of `frame.json`. */
import { readFileSync } from 'node:fs'
import { fillIn } from '../../record/json-schema.ts'

const FRAME = JSON.parse(readFileSync(new URL('frame.json', import.meta.url), 'utf8'))
/** Each as JSON, by its name. */
const DOCUMENTS = new Map(Object.entries(FRAME).map(([name, one]) => [name, JSON.stringify(one)]))

export function fill(document: string, values: Record<string, unknown> = {}) {
  return fillIn(DOCUMENTS.get(document) ?? '', values)
}
