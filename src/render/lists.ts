/** Lists of objects: buildings, transfers and assessments, each kept as one leaf. */
import { ITEM, type LeafName, leafIndex, VALUE } from '../record/leaves.ts'
import { Spans } from './memory.ts'
import { makeProgram, type Part, type Program, Programs, whole } from './program.ts'
import type { Bits, Derive } from './template.ts'

/** A key of a shown item: the place of its value among those kept, and how it is shown; as it is kept, where nothing is said. */
export type ItemKey = { key: string; value: number; show?: (value: Part) => Bits }

const ITEM_CODE = ITEM.charCodeAt(0)
const VALUE_CODE = VALUE.charCodeAt(0)
/** Values that an item may have. */
const VALUES_MAX = 31

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export function makeItem(): Spans {
  return new Spans(VALUES_MAX)
}

/** Cuts an item into its values; tells where the item ends. Values that it does not have are empty. */
export function cutItem(item: Spans, from: number, to: number): number {
  const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
  for (let value = item.count; value < VALUES_MAX; value += 1) item.set(value, 0, 0)
  return end
}

/** Shows a list leaf as a JSON array of objects with the given keys. */
export function list(name: LeafName, keys: readonly ItemKey[]): Derive {
  const leaf = leafIndex(name)
  const item = makeItem()
  const folded = new Programs<number, Program>()
  return (record, output) => {
    const to = record.to(leaf)
    let from = record.from(leaf)
    output.byte(OPEN)
    for (;;) {
      const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
      const { present } = item
      const program = folded.get(present) ?? folded.set(present, foldItem(keys, item, present))
      output.weave(program, program.start, end - from)
      if (end >= to) break
      output.byte(COMMA)
      from = end + 1
    }
    output.byte(CLOSE)
  }
}

/** An item's program for those of its values that are there: what is null becomes fixed text, as it does in a record. */
function foldItem(keys: readonly ItemKey[], item: Spans, present: number): Program {
  const bits: Bits = []
  keys.forEach(({ key, value, show }, at) => {
    bits.push(`${at === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    const part = whole(item.address(value))
    if ((present & (1 << value)) === 0) bits.push('null')
    else bits.push(...(show?.(part) ?? [part]))
  })
  return makeProgram([...bits, '}'])
}

/** Keys that show the values as they are kept. */
export function keysOf(names: readonly string[]): ItemKey[] {
  return names.map((key, value) => ({ key, value }))
}
