/** Lists of objects: buildings, transfers and assessments, each kept as one leaf. */
import { ITEM, type LeafName, leafIndex, VALUE } from './leaves.ts'
import { type Output, pieceOf, type Source, type Weave } from './output.ts'
import { Cut } from './record.ts'
import type { Derive } from './template.ts'

/** Writes one value of an item; nothing written shows as null. */
export type ShowValue = (output: Output, source: Source, from: number, to: number) => void

/** A key of a shown item: the place of its value among those kept, and how it is shown. */
export type ItemKey = { key: string; value: number; show: ShowValue }

const ITEM_CODE = ITEM.charCodeAt(0)
const VALUE_CODE = VALUE.charCodeAt(0)
/** Values that an item may have. */
const VALUES_MAX = 31
/** Which values are there, remembered; a roll has a few of them, and past this many they are folded anew. */
const FOLDED_MAX = 500

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d
const NULL = pieceOf('null')

export function copyValue(output: Output, source: Source, from: number, to: number): void {
  output.copy(source, from, to)
}

/** Cuts an item into its values; tells where the item ends. */
export function cutItem(cut: Cut, source: Source, from: number, to: number): number {
  return cut.read(source, from, to, VALUE_CODE, ITEM_CODE)
}

export function makeItemCut(): Cut {
  return new Cut(VALUES_MAX)
}

/** Shows a list leaf as a JSON array of objects with the given keys. */
export function list(name: LeafName, keys: readonly ItemKey[]): Derive {
  const leaf = leafIndex(name)
  const cut = makeItemCut()
  const folded = new Map<number, Weave>()
  return (record, output) => {
    const to = record.end(leaf)
    let from = record.start(leaf)
    if (to === from) return
    output.byte(OPEN)
    for (;;) {
      const end = cutItem(cut, record, from, to)
      let weave = folded.get(cut.present)
      if (weave === undefined) {
        if (folded.size >= FOLDED_MAX) folded.clear()
        weave = foldItem(keys, cut.present)
        folded.set(cut.present, weave)
      }
      fillItem(weave, keys, cut, output)
      if (end >= to) break
      output.byte(COMMA)
      from = end + 1
    }
    output.byte(CLOSE)
  }
}

function fillItem(weave: Weave, keys: readonly ItemKey[], item: Cut, output: Output): void {
  for (let at = output.weave(weave, item, 0); at !== -1; at = output.weave(weave, item, at)) {
    const { value, show } = keys[~(weave.parts[at] as number)] as ItemKey
    const before = output.length
    show(output, item, item.start(value), item.end(value))
    if (output.length === before) output.piece(NULL)
    at += 1
  }
}

/** An item's template for those of its values that are there: what is null becomes fixed text, as it does in a record. */
function foldItem(keys: readonly ItemKey[], present: number): Weave {
  const bounds: number[] = []
  const parts: number[] = []
  let text = ''
  keys.forEach(({ key, value, show }, at) => {
    text += `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`
    if ((present & (1 << value)) === 0) {
      text += 'null'
    } else {
      bounds.push(Buffer.byteLength(text))
      parts.push(show === copyValue ? value + 1 : ~at)
    }
  })
  text += '}'
  return {
    texts: pieceOf(text),
    bounds: Int32Array.from([...bounds, Buffer.byteLength(text)]),
    parts: Int32Array.from(parts),
  }
}

/** Keys that show the values as they are kept. */
export function keysOf(names: readonly string[]): ItemKey[] {
  return names.map((key, value) => ({ key, value, show: copyValue }))
}
