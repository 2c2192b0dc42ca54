/** Lists of objects: buildings, transfers and assessments, each stored as one field. */
import { ITEM, slotOf, VALUE } from '../record/stored.ts'
import type { Bits } from './compose.ts'
import { Spans } from './memory.ts'
import { makeProgram, type Part, type Program, Programs, whole } from './program.ts'
import type { WriteValue } from './template.ts'

/** A key of a shown item: the slot of its value, and how it is shown; by default unchanged. */
export type ItemKey = { key: string; slot: number; show?: ((value: Part) => Bits) | undefined }

const ITEM_CODE = ITEM.charCodeAt(0)
const VALUE_CODE = VALUE.charCodeAt(0)
/** Most values of an item, so that a word has a bit for each. */
const VALUES_MAX = 31

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/** Splits an item into its values and returns the end of the item. Absent values are empty. */
export function cutItem(item: Spans, from: number, to: number): number {
  const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
  for (let slot = item.count; slot < item.most; slot += 1) item.set(slot, 0, 0)
  return end
}

/** Shows a stored list as a JSON array of objects with the given keys. */
export function writeList(name: string, keys: readonly ItemKey[], omit: boolean): WriteValue {
  const slot = slotOf(name)
  const item = new Spans(VALUES_MAX)
  const folded = new Programs<number, Program>()
  return (record, output) => {
    const to = record.to(slot)
    let from = record.from(slot)
    output.byte(OPEN)
    for (;;) {
      const end = item.cut(from, to, VALUE_CODE, ITEM_CODE)
      const { present } = item
      const program = folded.get(present) ?? folded.set(present, foldItem(keys, item, omit))
      output.render(program, program.start, end - from)
      if (end >= to) break
      output.byte(COMMA)
      from = end + 1
    }
    output.byte(CLOSE)
  }
}

/**
 * Returns the program of an item with the values that are present; its nulls are fixed text, or
 * left out with `omit`.
 */
function foldItem(keys: readonly ItemKey[], item: Spans, omit: boolean): Program {
  const bits: Bits = []
  const { present } = item
  for (const { key, slot, show } of keys) {
    const isThere = (present & (1 << slot)) !== 0
    if (!isThere && omit) continue
    bits.push(`${bits.length === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    const part = whole(item.address(slot))
    if (isThere) bits.push(...(show?.(part) ?? [part]))
    else bits.push('null')
  }
  return makeProgram([...(bits.length === 0 ? ['{'] : bits), '}'])
}
