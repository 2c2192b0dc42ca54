/** Fills in the documents of `frame.json`. */
import { readFileSync } from 'node:fs'
import { fillIn } from '../../record/json-schema.ts'

const FRAME: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('frame.json', import.meta.url), 'utf8'),
)

export function fill(document: string, values: Record<string, unknown> = {}) {
  return fillIn(FRAME[document], values)
}
