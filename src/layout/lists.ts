/** Lists of objects: buildings, transfers and assessments, each kept as one leaf. */
import { ITEM, type LeafName, leafIndex, VALUE } from './leaves.ts'
import { type Output, type Piece, pieceOf, type Source } from './output.ts'
import { Cut } from './record.ts'
import type { Derive } from './template.ts'

/** Writes one value of an item; nothing written shows as null. */
export type ShowValue = (output: Output, source: Source, from: number, to: number) => void

/** A key of a shown item: the place of its value among those kept, and how it is shown. */
export type ItemKey = { key: string; value: number; show: ShowValue }

const ITEM_CODE = ITEM.charCodeAt(0)
const VALUE_CODE = VALUE.charCodeAt(0)
/** More values than an item has. */
const VALUES_MAX = 32

const OPEN = pieceOf('[')
const COMMA = pieceOf(',')
const CLOSE_ITEM = pieceOf('}')
const CLOSE = pieceOf(']')
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
  const starts = keys.map(({ key }, at): Piece => pieceOf(`${at === 0 ? '{' : ','}"${key}":`))
  return (record, output) => {
    const to = record.end(leaf)
    let from = record.start(leaf)
    if (to === from) return
    output.piece(OPEN)
    for (;;) {
      const end = cutItem(cut, record, from, to)
      for (let at = 0; at < keys.length; at += 1) {
        output.piece(starts[at] as Piece)
        const { value, show } = keys[at] as ItemKey
        const before = output.length
        show(output, record, cut.start(value), cut.end(value))
        if (output.length === before) output.piece(NULL)
      }
      output.piece(CLOSE_ITEM)
      if (end >= to) break
      output.piece(COMMA)
      from = end + 1
    }
    output.piece(CLOSE)
  }
}

/** Keys that show the values as they are kept. */
export function keysOf(names: readonly string[]): ItemKey[] {
  return names.map((key, value) => ({ key, value, show: copyValue }))
}
