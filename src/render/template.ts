/**
 * A layout as a template. At start, its fields are turned once into fixed texts and holes between
 * them. For each shape of stored records (the set of present fields) this list is compiled to a
 * program: nulls become fixed text, and joined values become several holes. Parcels of one roll
 * have a few dozen shapes; rendering one is a loop of copies (`render.wat`).
 */
import { positionsOf, slotOf } from '../record/stored.ts'
import type { Compose, FindField } from './compose.ts'
import { makeShared } from './derived.ts'
import type { Output } from './output.ts'
import {
  type Callback,
  callbackAt,
  HOLE,
  makeProgram,
  type Part,
  type Program,
  whole,
} from './program.ts'
import type { StoredRecord } from './record.ts'
import { ShapePrograms } from './shape-programs.ts'

/** Writes a value's JSON. */
export type WriteValue = (record: StoredRecord, output: Output) => void
/** Derives the values that some fields of a record show. */
type Prepare = (record: StoredRecord) => void
/** The source of a shown value. */
export type Source =
  /** A stored field; `empty` is shown when it is absent. */
  | { stored: string; empty: string }
  /** Composed of stored fields and of values that `prepare` derives. */
  | { compose: Compose; prepare?: Prepare | undefined }
  /** Written by a function when the field `needs` is present, else `[]`. */
  | { write: WriteValue; needs: string }
  /** The same JSON for every record. */
  | { fixed: string }

/** A field of a layout: its path of keys, and where its value comes from. */
export type TemplateField = { path: readonly string[]; source: Source }

/** Returns the function that writes records of one layout. */
export function buildTemplate(
  fields: readonly TemplateField[],
): (record: StoredRecord, output: Output) => void {
  const flat = flatten(fields)
  const folded = new ShapePrograms<Folded>()
  const foldRecord = (record: StoredRecord) => fold(flat, record)
  return (record, output) => fill(folded.get(record, foldRecord), record, output)
}

function fill(template: Folded, record: StoredRecord, output: Output): void {
  const { program, writers, prepares } = template
  if (record.fieldCount !== template.fieldCount) throw new Error(`record ${record.id} is damaged`)
  record.positions = template.positions
  makeShared(record)
  for (const prepare of prepares) prepare(record)
  let hole = program.start
  for (;;) {
    hole = output.render(program, hole, record.length)
    const callback = callbackAt(hole)
    if (callback === -1) return
    const write = writers[callback] as WriteValue
    write(record, output)
    hole += HOLE
  }
}

/** Fixed texts and sources alternately; there is one text more than sources. */
type Flat = { texts: string[]; sources: Exclude<Source, { fixed: string }>[] }

type Folded = {
  program: Program
  /** The functions behind its callbacks. */
  writers: WriteValue[]
  prepares: Prepare[]
  positions: readonly number[]
  fieldCount: number
}

/** Fields of one group are consecutive. */
function flatten(fields: readonly TemplateField[]): Flat {
  const flat: Flat = { texts: [], sources: [] }
  let text = '{'
  let open: readonly string[] = []
  for (const { path, source } of fields) {
    const groups = path.slice(0, -1)
    const shared = groups.findIndex((key, at) => key !== open[at])
    const common = Math.min(shared === -1 ? groups.length : shared, open.length)
    text += '}'.repeat(open.length - common)
    for (const key of groups.slice(common)) text += `${comma(text)}${JSON.stringify(key)}:{`
    text += `${comma(text)}${JSON.stringify(path.at(-1))}:`
    open = groups
    if ('fixed' in source) {
      text += source.fixed
    } else {
      flat.texts.push(text)
      flat.sources.push(source)
      text = ''
    }
  }
  flat.texts.push(`${text}${'}'.repeat(open.length)}}`)
  return flat
}

function comma(text: string): string {
  return text.endsWith('{') ? '' : ','
}

/** Fields that every record has. */
const REQUIRED = ['fips', 'parcelId'] as const

function fold({ texts, sources }: Flat, record: StoredRecord): Folded {
  const { id, parts } = record
  const positions = positionsOf(record.shape())
  const find: FindField = (name) => {
    const position = positions[slotOf(name)] ?? -1
    return position === -1 ? null : whole(parts.address(position))
  }
  if (REQUIRED.some((name) => find(name) === null)) throw new Error(`record ${id} is damaged`)
  const bits: (string | Part | Callback)[] = [texts[0] ?? '']
  const writers: WriteValue[] = []
  const prepares = new Set<Prepare>()
  sources.forEach((source, at) => {
    if ('stored' in source) {
      bits.push(find(source.stored) ?? source.empty)
    } else if ('compose' in source) {
      const composed = source.compose(find)
      bits.push(...(composed ?? ['null']))
      if (composed !== null && source.prepare !== undefined) prepares.add(source.prepare)
    } else if (find(source.needs) === null) {
      bits.push('[]')
    } else {
      bits.push({ callback: writers.push(source.write) - 1 })
    }
    bits.push(texts[at + 1] ?? '')
  })
  return {
    program: makeProgram(bits),
    writers,
    prepares: [...prepares],
    positions,
    fieldCount: Math.max(0, ...positions),
  }
}
