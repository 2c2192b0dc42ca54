/**
 * The form of a record's keys in `parcels.db`: lines without what follows from the lines before. It
 * takes 62 bytes where the JSON text of `parcel-keys.ts` takes 169.
 *
 * A line begins with its kind. `i`: an alternate ID. `s`: a situs address: key, loose key behind
 * the number, unit. `a`: an alternate: kind, place of its own address, key. `0` to `3`: an owner
 * head of slot 1 or 2, of a person or an organization: head, rest. `+` or `-` and a slot: its
 * words, behind those of its heads or without them. Keys that do not fit stay JSON.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { EncodedKeys } from '../parcel-keys.ts'

const LINE = '\n'
const VALUE = '\t'
/** Escapes of characters that separate, and of those below a blank. */
const UNFIT = /\\[ntu]/
const PLACES = 10

/** Defines the SQL functions `pack_keys(json)` and `key_list(packed, name)`. */
export function defineKeys(db: DatabaseSync): void {
  db.function('pack_keys', { deterministic: true }, (json) =>
    packKeys(String(json), JSON.parse(String(json))),
  )
  db.function('key_list', { deterministic: true }, (packed, name) =>
    readList(String(packed), name as keyof EncodedKeys),
  )
}

/** Returns the packed form of the JSON text of keys. Equal texts, and no others, become equal. */
export function packKeys(json: string, { i, s, a, h, w }: EncodedKeys): string {
  if (json.includes('\\') && UNFIT.test(json)) return json
  let text = ''
  for (const key of i) text += `i${key}${LINE}`
  for (const [key, loose, unit] of s) {
    const number = key.indexOf('|') + 1
    if (number === 0 || !loose.startsWith(key.slice(0, number))) return json
    text += `s${key}${VALUE}${loose.slice(number)}${unit === '' ? '' : VALUE + unit}${LINE}`
  }
  for (const [key, kind, own, unit] of a) {
    const place = s.findIndex((one) => one[0] === own && one[2] === unit)
    if (place === -1 || place >= PLACES) return json
    text += `a${kind}${place}${key}${LINE}`
  }
  for (const [slot, kind, head, rest] of h) {
    text += `${slot * 2 + kind - 2}${head}${rest === '' ? '' : VALUE + rest}${LINE}`
  }
  const words = packWords(h, w)
  return words === undefined ? json : text + words
}

/** Returns the lines of the words; `undefined` when they do not fit. */
function packWords(h: EncodedKeys['h'], w: EncodedKeys['w']): string | undefined {
  let text = ''
  let at = 0
  for (let slot = 1; slot <= 2; slot += 1) {
    const known = wordsOf(h, slot)
    const from = at
    while (at - from < known.length && isWord(w[at], slot, known[at - from])) at += 1
    const isBehind = at - from === known.length
    if (!isBehind) at = from
    const first = at
    while (w[at]?.[0] === slot) at += 1
    if (isBehind && first === at) continue
    const own = w.slice(first, at).map(([, word]) => word)
    if (own.some((word) => word === '' || word.includes(' '))) return undefined
    text += `${isBehind ? '+' : '-'}${slot}${own.join(' ')}${LINE}`
  }
  return at === w.length ? text : undefined
}

function isWord(one: EncodedKeys['w'][number] | undefined, slot: number, word?: string): boolean {
  return one !== undefined && one[0] === slot && one[1] === word
}

function wordsOf(h: EncodedKeys['h'], slot: number): string[] {
  const words: string[] = []
  for (const [own, , head, rest] of h) {
    if (own !== slot) continue
    if (!words.includes(head)) words.push(head)
    for (const part of rest === '' ? [] : rest.split(' ')) {
      const word = part === '/' ? 'AND' : part
      if (!words.includes(word)) words.push(word)
    }
  }
  return words
}

export function unpackKeys(packed: string): string {
  return packed.startsWith('{') ? packed : JSON.stringify(readKeys(packed))
}

/** Returns the JSON text of one list. */
function readList(packed: string, name: keyof EncodedKeys): string {
  if (packed.startsWith('{')) return JSON.stringify(JSON.parse(packed)[name])
  const isNone = (name === 'i' && packed[0] !== 'i') || (name === 'a' && !packed.includes('\na'))
  return isNone ? '[]' : JSON.stringify(readKeys(packed, name === 'w')[name])
}

function readKeys(packed: string, hasWords = true): EncodedKeys {
  const keys: EncodedKeys = { i: [], s: [], a: [], h: [], w: [] }
  const words: Record<string, string> = {}
  for (const line of packed.split(LINE).slice(0, -1)) {
    const [first = '', second = '', third = ''] = line.slice(1).split(VALUE)
    const kind = line[0] as string
    if (kind === 'i') keys.i.push(first)
    else if (kind === 's') {
      keys.s.push([first, first.slice(0, first.indexOf('|') + 1) + second, third])
    } else if (kind === 'a') {
      const [own = '', , unit = ''] = keys.s[Number(first[1])] ?? []
      keys.a.push([first.slice(2), Number(first[0]), own, unit])
    } else if (kind === '+' || kind === '-') words[first[0] as string] = kind + first.slice(1)
    else keys.h.push([(Number(kind) >> 1) + 1, Number(kind) & 1, first, second])
  }
  for (const slot of hasWords ? [1, 2] : []) {
    const own = words[slot] ?? '+'
    const known = own.startsWith('+') ? wordsOf(keys.h, slot) : []
    const others = own.length === 1 ? [] : own.slice(1).split(' ')
    keys.w.push(...[...known, ...others].map((word): [number, string] => [slot, word]))
  }
  return keys
}
