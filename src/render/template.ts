/**
 * A layout as a template: a tree of keys whose ends say where the value comes from.
 *
 * The tree is walked once, at start, into texts and ends in turn. For each shape of stored leaves (which are there, and which are null) that
 * list is folded into a program: all that is null becomes fixed text, and what is joined of leaves becomes gaps of its own. Parcels of one
 * roll have a few dozen shapes, and rendering one is a short loop of copies (`weave.wat`).
 */

import { type LeafName, leafIndex, positionsOf } from '../record/leaves.ts'
import { makeShared } from './derived.ts'
import type { Output } from './output.ts'
import {
  GAP,
  makeProgram,
  type Part,
  type Program,
  Programs,
  type Stop,
  stopAt,
  whole,
} from './program.ts'
import type { StoredRecord } from './record.ts'

/** Writes a value's JSON. */
export type Derive = (record: StoredRecord, output: Output) => void
/** Makes ready what some fields of a record are shown from. */
export type Prepare = (record: StoredRecord) => void
/** Texts and parts in turn. */
export type Bits = (string | Part)[]
/** A leaf as a part; null: it is not there. */
export type FindLeaf = (name: LeafName) => Part | null
/** What a field is made of in records of one shape; null: nothing. */
export type Compose = (leaf: FindLeaf) => Bits | null

/** An end of the tree; `empty` is what shows where there is nothing. */
export type End =
  | { leaf: LeafName; empty: string }
  | { compose: Compose; prepare?: Prepare | undefined }
  | { derive: Derive; needs: LeafName; empty: string }
  | { fixed: string }

export type Tree = { [key: string]: End | { group: Tree } }

/** A stored leaf. */
export function leaf(name: LeafName, empty = 'null'): End {
  return { leaf: name, empty }
}

/** What is joined of leaves and of what is made for each record. */
export function compose(how: Compose, prepare?: Prepare): End {
  return { compose: how, prepare }
}

/** What is written by a function, where the leaf it needs is there. */
export function derive(how: Derive, needs: LeafName, empty: string): End {
  return { derive: how, needs, empty }
}

export function fixed(json: string): End {
  return { fixed: json }
}

/** Builds what writes a record that was read as JSON. */
export function buildTemplate(tree: Tree): (record: StoredRecord, output: Output) => void {
  const flat = flatten(tree)
  const folded = new Programs<string, Folded>()
  return (record, output) => {
    const template = folded.get(record.shape) ?? folded.set(record.shape, fold(flat, record))
    fill(template, record, output)
  }
}

function fill(template: Folded, record: StoredRecord, output: Output): void {
  const { program, derives, prepares } = template
  if (record.leafCount !== template.leafCount) throw new Error(`record ${record.id} is damaged`)
  record.positions = template.positions
  makeShared(record)
  for (const prepare of prepares) prepare(record)
  let gap = program.start
  for (;;) {
    gap = output.weave(program, gap, record.length)
    const stop = stopAt(gap)
    if (stop === -1) return
    const derive = derives[stop] as Derive
    derive(record, output)
    gap += GAP
  }
}

/** Fixed texts and ends in turn; one text more than ends. */
type Flat = { texts: string[]; ends: Exclude<End, { fixed: string }>[] }

type Folded = {
  program: Program
  /** What its stops stand for. */
  derives: Derive[]
  prepares: Prepare[]
  positions: number[]
  leafCount: number
}

function flatten(tree: Tree): Flat {
  const flat: Flat = { texts: [], ends: [] }
  let text = ''
  const visit = (branch: Tree) => {
    let separator = '{'
    for (const [key, end] of Object.entries(branch)) {
      text += `${separator}${JSON.stringify(key)}:`
      separator = ','
      if ('group' in end) {
        visit(end.group)
      } else if ('fixed' in end) {
        text += end.fixed
      } else {
        flat.texts.push(text)
        flat.ends.push(end)
        text = ''
      }
    }
    text += '}'
  }
  visit(tree)
  flat.texts.push(text)
  return flat
}

/** What no record is without. */
const ALWAYS = ['fips', 'parcelId'] as const

function fold({ texts, ends }: Flat, { id, shape, parts }: StoredRecord): Folded {
  const positions = positionsOf(shape)
  const find: FindLeaf = (name) => {
    const position = positions[leafIndex(name)] ?? -1
    return position === -1 ? null : whole(parts.address(position))
  }
  if (ALWAYS.some((name) => find(name) === null)) throw new Error(`record ${id} is damaged`)
  const bits: (string | Part | Stop)[] = [texts[0] ?? '']
  const derives: Derive[] = []
  const prepares = new Set<Prepare>()
  ends.forEach((end, at) => {
    if ('leaf' in end) {
      bits.push(find(end.leaf) ?? end.empty)
    } else if ('compose' in end) {
      const composed = end.compose(find)
      bits.push(...(composed ?? ['null']))
      if (composed !== null && end.prepare !== undefined) prepares.add(end.prepare)
    } else if (find(end.needs) === null) {
      bits.push(end.empty)
    } else {
      bits.push({ stop: derives.push(end.derive) - 1 })
    }
    bits.push(texts[at + 1] ?? '')
  })
  return {
    program: makeProgram(bits),
    derives,
    prepares: [...prepares],
    positions,
    leafCount: Math.max(0, ...positions),
  }
}
