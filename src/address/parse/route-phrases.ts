/**
 * The words of numbered roads as a tree, built once: `STATE` → `ROUTE`, `FARM` → `TO` → `MARKET`.
 */
import { OLDER_FORMS, STATES } from '../../regions/states.ts'
import { PUB28_F, ROAD_WORDS } from '../tables.ts'

/** Spelling of a kind of numbered road; `states` limits it to some states. */
export type Phrase = {
  kind: string
  shown: string
  digitsOnly: boolean
  states: string[] | undefined
}
export type Node = { next: Map<string, Node>; phrases: Phrase[] }

/** Reports whether a word may be a road's number: up to four digits and two letters, no ordinal. */
export function isRouteNumber(text: string): boolean {
  return text.length <= 6 && /^\d{1,4}[A-Z]{0,2}$/.test(text) && !/(?:ST|ND|RD|TH)$/.test(text)
}

/** Kinds of roads that some counties number with five digits: `CR 44310`. */
const LONG_NUMBERED = new Set(['COUNTY', 'TOWNSHIP', 'PRIVATE', 'FOREST', 'PARISH', 'RANCH'])

/** Kinds of roads that run together: `US 1-9` */
export const SHARED = new Set(['US', 'STATE', 'HIGHWAY'])

export function isNumberOf(kind: string, text: string): boolean {
  if (isRouteNumber(text)) return true
  if (SHARED.has(kind)) return /^\d{1,3}(?:[-/]\d{1,3}){1,2}$/.test(text)
  return LONG_NUMBERED.has(kind) && /^\d{5}[A-Z]?$/.test(text)
}

/** Returns the phrase that the words so far make in a state. */
export function pickPhrase(node: Node, state: string): Phrase | undefined {
  return (
    node.phrases.find((phrase) => phrase.states?.includes(state)) ??
    node.phrases.find((phrase) => phrase.states === undefined)
  )
}

type NamedState = { code: string; length: number; spelled: boolean }

export function readState(
  texts: string[],
  at: number,
  end: number,
  state: string,
): NamedState | undefined {
  const word = texts[at] as string
  const code = STATE_NAMES.get(word)
  // `NE 7` and, outside Nebraska, `NE HWY 7` mean northeast.
  if (word === 'NE' && (state !== 'NE' || isRouteNumber(texts[at + 1] ?? ''))) return undefined
  // `PENN 12` is a state's road in Pennsylvania only.
  if (code !== undefined)
    return { code, length: 1, spelled: word.length > 2 && !OLDER_FORMS.has(word) }
  if (at + 1 < end && STATE_FIRST_WORDS.has(word)) {
    const two = STATE_NAMES.get(`${word} ${texts[at + 1]}`)
    if (two !== undefined) return { code: two, length: 2, spelled: true }
  }
  return undefined
}

const STATE_NAMES = new Map<string, string>()
const STATE_FIRST_WORDS = new Set<string>()
for (const { code, name } of STATES) {
  const upper = name.toUpperCase()
  STATE_NAMES.set(code, code)
  STATE_NAMES.set(upper, code)
  if (upper.includes(' ')) STATE_FIRST_WORDS.add(upper.slice(0, upper.indexOf(' ')))
}

for (const [form, code] of OLDER_FORMS) STATE_NAMES.set(form, code)
STATE_NAMES.set('NYS', 'NY')

/** Root of the tree; `@` means a state's name. */
export const ROOT: Node = { next: new Map(), phrases: [] }

const MAY_BEGIN = new Set<string>()

for (const line of PUB28_F) {
  const [kind = '', shown = '', forms = ''] = line.split('|').map((part) => part.trim())
  for (const form of forms.split(', ')) {
    const [, words = '', mark, states] = /^([^![]+)(!?)(?:\[(.*)\])?$/.exec(form) ?? []
    let node = ROOT
    for (const word of words.split(' ')) {
      let child = node.next.get(word)
      if (child === undefined) {
        child = { next: new Map(), phrases: [] }
        node.next.set(word, child)
      }
      node = child
    }
    const digitsOnly = mark === '!'
    if (!node.phrases.some((phrase) => phrase.states?.join() === states?.split(' ').join()))
      node.phrases.push({ kind, shown, digitsOnly, states: states?.split(' ') })
  }
}
for (const word of ROOT.next.keys()) {
  if (word === '@') for (const name of STATE_NAMES.keys()) MAY_BEGIN.add(name.split(' ')[0] ?? '')
  else MAY_BEGIN.add(word)
}
for (const word of ROAD_WORDS.keys()) MAY_BEGIN.add(word)

export function mayBeginRoute(word: string): boolean {
  let end = 0
  while (end < word.length && word.charCodeAt(end) >= 65) end++
  return MAY_BEGIN.has(end === word.length ? word : word.slice(0, end))
}
