/**
 * A layout as a template: the fixed texts between values, built once at start, and what fills the gaps.
 *
 * A layout is a tree of keys whose ends say where the value comes from; building it walks the tree once and leaves two flat
 * lists, so that rendering is one loop of concatenations.
 */
import { type LeafName, leafIndex } from './leaves.ts'

/** What rendering has at hand: the split leaves, the id, and what the record does not hold itself. */
export type Scene = {
  leaves: string[]
  id: number
  /** JSON text of an ISO date-time. */
  loadedAt: string
  /** GeoJSON text, or `''`. */
  geometry: string
}

/** A value's JSON text; `''` shows as null. */
export type Derive = (scene: Scene) => string

/** An end of the tree: a stored leaf, something derived, or fixed text. */
export type End = { leaf: LeafName; empty?: string } | { derive: Derive } | { fixed: string }

export type Tree = { [key: string]: End | { group: Tree } }

/** Builds the function that shows a scene as JSON text. */
export function buildTemplate(tree: Tree): (scene: Scene) => string {
  const texts: string[] = []
  const fills: Fill[] = []
  let text = ''
  const visit = (branch: Tree) => {
    text += '{'
    let first = true
    for (const [key, end] of Object.entries(branch)) {
      text += `${first ? '' : ','}${JSON.stringify(key)}:`
      first = false
      if ('group' in end) {
        visit(end.group)
      } else if ('fixed' in end) {
        text += end.fixed
      } else {
        texts.push(text)
        text = ''
        fills.push(toFill(end))
      }
    }
    text += '}'
  }
  visit(tree)
  const tail = text
  const count = fills.length
  return (scene) => {
    let json = ''
    for (let at = 0; at < count; at += 1) {
      const fill = fills[at] as Fill
      const value =
        fill.derive === undefined ? (scene.leaves[fill.index] ?? '') : fill.derive(scene)
      json += texts[at] + (value === '' ? fill.empty : value)
    }
    return json + tail
  }
}

type Fill = { index: number; derive: Derive | undefined; empty: string }

function toFill(end: { leaf: LeafName; empty?: string } | { derive: Derive }): Fill {
  return 'leaf' in end
    ? { index: leafIndex(end.leaf), derive: undefined, empty: end.empty ?? 'null' }
    : { index: -1, derive: end.derive, empty: 'null' }
}

/** A stored leaf; `empty` is what shows where it holds nothing. */
export function leaf(name: LeafName, empty?: string): End {
  return empty === undefined ? { leaf: name } : { leaf: name, empty }
}

export function derive(how: Derive): End {
  return { derive: how }
}

export function fixed(json: string): End {
  return { fixed: json }
}
