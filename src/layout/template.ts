/**
 * A layout as a template: the fixed texts between values, built once at start, and what fills the gaps.
 *
 * A layout is a tree of keys whose ends say where the value comes from. The tree is walked once into a flat list; for each shape of stored
 * leaves (which are there, and which are null) that list is folded once more, so that all that is null becomes fixed
 * text. Parcels of one roll have a few dozen shapes, and rendering is one short loop of concatenations.
 */
import { type LeafName, leafIndex, positionsOf, splitParts } from './leaves.ts'

/** What rendering has at hand. */
export type Scene = {
  /** The shape, then the leaves that are there. */
  parts: string[]
  /** Where each leaf stands among the parts; -1: null. */
  positions: number[]
  id: number
  /** JSON text of an ISO date-time. */
  loadedAt: string
  /** GeoJSON text, or `''`. */
  geometry: string
}

/** A value's JSON text; `''` shows as null. */
export type Derive = (scene: Scene) => string

/** An end of the tree: a stored leaf, something derived, or fixed text. */
export type End =
  | { leaf: LeafName; empty: string }
  | { derive: Derive; needs: readonly LeafName[]; empty: string }
  | { fixed: string }

export type Tree = { [key: string]: End | { group: Tree } }

/** What a layout is rendered from. */
export type Stored = Pick<Scene, 'id' | 'loadedAt' | 'geometry'> & { leaves: string }

/** Shapes remembered; a roll has dozens, and past this many they are folded anew. */
const SHAPES_MAX = 5000

/** Builds the function that shows a stored parcel as JSON text. */
export function buildTemplate(tree: Tree): (stored: Stored) => string {
  const flat = flatten(tree)
  const folded = new Map<string, Folded>()
  return ({ leaves, id, loadedAt, geometry }) => {
    const parts = splitParts(leaves)
    const shape = parts[0] ?? ''
    let template = folded.get(shape)
    if (template === undefined) {
      if (folded.size >= SHAPES_MAX) folded.clear()
      template = fold(flat, shape)
      folded.set(shape, template)
    }
    const { texts, fills, positions } = template
    const scene = { parts, positions, id, loadedAt, geometry }
    let json = texts[0] ?? ''
    for (let at = 0; at < fills.length; at += 1) {
      const fill = fills[at] as Fill
      json += typeof fill === 'number' ? parts[fill] : fill.derive(scene) || fill.empty
      json += texts[at + 1]
    }
    return json
  }
}

/** Fixed texts and ends in turn; one text more than ends. */
type Flat = { texts: string[]; ends: Exclude<End, { fixed: string }>[] }

/** A part's number, or what derives a value. */
type Fill = number | { derive: Derive; empty: string }

type Folded = { texts: string[]; fills: Fill[]; positions: number[] }

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
  const folded: Folded = { texts: [], fills: [], positions }
  let text = texts[0] ?? ''
  ends.forEach((end, at) => {
    const next = texts[at + 1] ?? ''
    const isNull =
      'leaf' in end
        ? position(end.leaf) === -1
        : end.needs.length > 0 && end.needs.every((name) => position(name) === -1)
    if (isNull) {
      text += end.empty + next
      return
    }
    folded.texts.push(text)
    folded.fills.push('leaf' in end ? position(end.leaf) : end)
    text = next
  })
  folded.texts.push(text)
  return folded
}

/** A stored leaf's JSON text; `''`: null. */
export function leafText(scene: Scene, index: number): string {
  const position = scene.positions[index] ?? -1
  return position === -1 ? '' : (scene.parts[position] ?? '')
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
