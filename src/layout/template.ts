/**
 * A layout as a template: the fixed texts between values, built once at start, and what fills the gaps.
 *
 * A layout is a tree of keys whose ends say where the value comes from. The tree is walked once into a flat list; for each shape of stored
 * leaves (which are there, and which are null) that list is folded once more, so that all that is null becomes fixed
 * text. Parcels of one roll have a few dozen shapes, and rendering is one short loop of copies.
 */
import { type LeafName, leafIndex, positionsOf } from './leaves.ts'
import { type Output, type Piece, pieceOf, type Weave } from './output.ts'
import type { StoredRecord } from './record.ts'

/** Writes a value's JSON; nothing written shows as null. */
export type Derive = (record: StoredRecord, output: Output) => void

/** An end of the tree: a stored leaf, something derived, or fixed text. */
export type End =
  | { leaf: LeafName; empty: string }
  | { derive: Derive; needs: readonly LeafName[]; empty: string }
  | { fixed: string }

export type Tree = { [key: string]: End | { group: Tree } }

/** Shapes remembered; a roll has dozens, and past this many they are folded anew. */
const SHAPES_MAX = 2000

/** Builds what writes a record that was read as JSON. */
export function buildTemplate(tree: Tree): (record: StoredRecord, output: Output) => void {
  const flat = flatten(tree)
  const folded = new Map<string, Folded>()
  return (record, output) => {
    let template = folded.get(record.shape)
    if (template === undefined) {
      if (folded.size >= SHAPES_MAX) folded.clear()
      template = fold(flat, record.shape)
      folded.set(record.shape, template)
    }
    fill(template, record, output)
  }
}

function fill(template: Folded, record: StoredRecord, output: Output): void {
  const { weave, derived } = template
  if (record.leafCount !== template.leafCount) throw new Error(`record ${record.id} is damaged`)
  record.positions = template.positions
  for (let at = output.weave(weave, record, 0); at !== -1; at = output.weave(weave, record, at)) {
    const { derive, empty } = derived[~(weave.parts[at] as number)] as Derived
    const before = output.length
    derive(record, output)
    if (output.length === before) output.piece(empty)
    at += 1
  }
}

/** Fixed texts and ends in turn; one text more than ends. */
type Flat = { texts: string[]; ends: Exclude<End, { fixed: string }>[] }

type Derived = { derive: Derive; empty: Piece }

type Folded = {
  /** Its parts below zero are the inverses (`~`) of places among `derived`. */
  weave: Weave
  derived: Derived[]
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

function fold({ texts, ends }: Flat, shape: string): Folded {
  const positions = positionsOf(shape)
  const position = (name: LeafName) => positions[leafIndex(name)] ?? -1
  const bounds: number[] = []
  const parts: number[] = []
  const derived: Derived[] = []
  let text = texts[0] ?? ''
  ends.forEach((end, at) => {
    const isNull =
      'leaf' in end
        ? position(end.leaf) === -1
        : end.needs.length > 0 && end.needs.every((name) => position(name) === -1)
    if (isNull) {
      text += end.empty
    } else {
      bounds.push(Buffer.byteLength(text))
      if ('leaf' in end) parts.push(position(end.leaf))
      else parts.push(~(derived.push({ derive: end.derive, empty: pieceOf(end.empty) }) - 1))
    }
    text += texts[at + 1] ?? ''
  })
  return {
    weave: {
      texts: pieceOf(text),
      bounds: Int32Array.from([...bounds, Buffer.byteLength(text)]),
      parts: Int32Array.from(parts),
    },
    derived,
    positions,
    leafCount: Math.max(0, ...positions),
  }
}

/** A stored leaf; `empty` is what shows where it holds nothing. */
export function leaf(name: LeafName, empty = 'null'): End {
  return { leaf: name, empty }
}

/** A derived value; when all the leaves it `needs` are null, so is it (none named: it may be there all the same). */
export function derive(how: Derive, needs: readonly LeafName[] = [], empty = 'null'): End {
  return { derive: how, needs, empty }
}

export function fixed(json: string): End {
  return { fixed: json }
}
