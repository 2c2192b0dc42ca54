/** Reads the parts of XML that workbooks use: tags, attributes, and the text between. */
import { CommandError } from '../../../base/errors.ts'

export type XmlEvent =
  | { kind: 'open'; name: string; attributes: string; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** Most characters of a tag or of the text between two tags. Excel's longest cell has 32,767. */
const PIECE_MAX = 1_048_576

/**
 * Reads XML in UTF-8. Names lose their prefix; comments and processing instructions are skipped.
 * Throws `CommandError` for a document type definition, which may expand without bounds. So it does
 * for a tag or text above 1 MB, and for a file that ends within a tag.
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  shown: string,
): AsyncGenerator<XmlEvent[]> {
  const damaged = (why: string) => new CommandError(`${shown} is cut short or damaged: ${why}`)
  const decoder = new TextDecoder('utf-8')
  let held = ''
  for await (const chunk of bytes) {
    held += decoder.decode(chunk, { stream: true })
    const events: XmlEvent[] = []
    let at = 0
    for (;;) {
      const start = held.indexOf('<', at)
      if (start < 0) break
      const end = endOfTag(held, start)
      if (end < 0) break
      if (start > at) events.push({ kind: 'text', text: held.slice(at, start) })
      const tag = held.slice(start + 1, end)
      if (/^!DOCTYPE/i.test(tag)) throw damaged('it has a document type')
      if (tag.startsWith('![CDATA[')) events.push({ kind: 'text', text: tag.slice(8, -2) })
      else if (!/^[?!]/.test(tag)) events.push(readTag(tag))
      at = end + 1
    }
    held = held.slice(at)
    if (held.length > PIECE_MAX) throw damaged('a text of more than 1 MB')
    yield events
  }
  if (held.trim() !== '') throw damaged('it ends within a tag')
}

/** Matches a tag up to a `>` that is not inside an attribute value. */
const PLAIN_TAG = /^[^"']*(?:"[^"]*"[^"']*)*$/

/** Returns the end of the tag that starts here; -1 when it is not in this text. */
function endOfTag(text: string, start: number): number {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4)
    return end < 0 ? -1 : end + 2
  }
  if (text.startsWith('<![CDATA[', start)) {
    const end = text.indexOf(']]>', start)
    return end < 0 ? -1 : end + 2
  }
  const first = text.indexOf('>', start)
  if (first < 0 || PLAIN_TAG.test(text.slice(start, first))) return first
  let quote = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const mark = text.charAt(at)
    if (quote !== '') {
      if (mark === quote) quote = ''
    } else if (mark === '"' || mark === "'") quote = mark
    else if (mark === '>') return at
  }
  return -1
}

function readTag(tag: string): XmlEvent {
  const isClose = tag.startsWith('/')
  const isEmpty = tag.endsWith('/')
  const body = tag.slice(isClose ? 1 : 0, isEmpty ? -1 : undefined)
  const end = body.search(/\s/)
  const whole = end < 0 ? body : body.slice(0, end)
  const name = whole.slice(whole.indexOf(':') + 1)
  if (isClose) return { kind: 'close', name }
  return { kind: 'open', name, attributes: end < 0 ? '' : body.slice(end), isEmpty }
}

/** Patterns by attribute name. The names are fixed in the code, so the map stays small. */
const PATTERNS = new Map<string, RegExp>()

/** Returns the value of an attribute; its prefix is part of its name. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const pattern = PATTERNS.getOrInsertComputed(
    name,
    () => new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`),
  )
  const found = pattern.exec(attributes)
  return found === null ? undefined : unescapeXml(found[1] ?? found[2] ?? '')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes entities, and the characters that workbooks write as `_x000D_`. */
export function unescapeXml(text: string): string {
  const plain = text.includes('&')
    ? text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return ENTITIES[name] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text
  return plain.includes('_x')
    ? plain.replace(/_x([\dA-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}
