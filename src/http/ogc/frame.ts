/** Fills in the documents of `frame.json`. */
import { readFileSync } from 'node:fs'

const FRAME: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('frame.json', import.meta.url), 'utf8'),
)

/**
 * Returns a document with these values where it has `{name}`. A text that is nothing else becomes
 * the value itself, and goes without one.
 */
// biome-ignore lint/suspicious/noExplicitAny: every document has its own shape
export function fill(document: string, values: Record<string, unknown> = {}): any {
  return JSON.parse(JSON.stringify(FRAME[document]), (_key, text) => {
    if (typeof text !== 'string') return text
    const alone = /^\{(\w+)\}$/.exec(text)?.[1]
    if (alone !== undefined) return values[alone]
    return text.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place))
  })
}
