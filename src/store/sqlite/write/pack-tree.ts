/**
 * Makes an R-tree at once, by sort-tile-recursive packing: strips from west to east, each from
 * south to north, cut into nodes. Writes the tables behind it ("Shadow Tables" of
 * https://www.sqlite.org/rtree.html). Figures: docs/performance.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { atEnd } from '../../../base/at-end.ts'
import { coverageBit } from '../../../base/model/coverage.ts'
import { openInserter } from './row-inserter.ts'

/** `columns`: of `parcels`, one for each dimension, of which the first two are x and y. */
type Tree = { table: string; columns: readonly string[]; where: string }

/** The points of all parcels. */
export const POINTS: Tree = { table: 'points', columns: ['x', 'y'], where: 'x IS NOT NULL' }

/** Points and days of the newest transfers that have a price. */
export const SALES: Tree = {
  table: 'sales',
  columns: ['x', 'y', 'transfer_day'],
  where: `x IS NOT NULL AND transfer_day IS NOT NULL AND filled & ${coverageBit('salePrice')} <> 0`,
}

/** An entry of a node: a parcel or a node below. `bounds`: least and greatest by dimension. */
type Cell = { id: number; bounds: number[] }

type Range = { afterId: number; lastId: number }

const HEADER_BYTES = 4
const ID_BYTES = 8
const VALUE_BYTES = 4
/** Share of a node that is filled, so that a refresh can add to most nodes without a split. */
const FILLED = 0.9
const ROOT = 1

/** Makes a tree anew with all parcels of a range of ids that belong to it. */
export function packTree(db: DatabaseSync, tree: Tree, range: Range): void {
  // The driver's defensive mode forbids writing the tables behind a virtual table.
  db.enableDefensive(false)
  using _end = atEnd(() => db.enableDefensive(true))
  pack(db, tree, range)
}

function pack(db: DatabaseSync, tree: Tree, range: Range): void {
  const { afterId, lastId } = range
  const nodes = openNodes(db, tree)
  const insertParent = db.prepare(`INSERT INTO main.${tree.table}_parent VALUES (?, ?)`)
  const { strips, isOne } = readStrips(db, tree, range, nodes.full)
  // The leaf of each parcel, so that they are written in the order of ids.
  const leafOf = new Uint32Array(lastId - afterId)
  let level: Cell[] = []
  for (const strip of strips) {
    for (const cells of cutStrip(strip, nodes.full)) {
      const leaf = nodes.write(cells, 0, isOne)
      for (const { id } of cells) leafOf[id - afterId - 1] = leaf.id
      level.push(leaf)
    }
  }
  for (let depth = 1; level.length > 1; depth += 1) {
    const groups = tile(level, nodes.full)
    level = groups.map((cells) => {
      const node = nodes.write(cells, depth, groups.length === 1)
      for (const { id } of cells) insertParent.run(id, node.id)
      return node
    })
  }
  if (level.length === 0) nodes.write([], 0, true)
  const rows = openInserter(db, `main.${tree.table}_rowid`, 2)
  leafOf.forEach((leaf, at) => {
    if (leaf !== 0) rows.add(afterId + 1 + at, leaf)
  })
  rows.flush()
}

/** Returns the writer of nodes, and the number of cells that it should get for each. */
function openNodes(db: DatabaseSync, { table, columns }: Tree) {
  const root = db.prepare(`SELECT length(data) AS bytes FROM main.${table}_node WHERE nodeno = 1`)
  const bytes = Number(root.get()?.bytes)
  for (const part of ['node', 'parent', 'rowid']) db.exec(`DELETE FROM main.${table}_${part}`)
  const insert = db.prepare(`INSERT INTO main.${table}_node VALUES (?, ?)`)
  const cellBytes = ID_BYTES + 2 * columns.length * VALUE_BYTES
  let last = ROOT
  return {
    full: Math.floor(((bytes - HEADER_BYTES) / cellBytes) * FILLED),
    /** Returns the node as a cell of the node above. */
    write(cells: readonly Cell[], depth: number, isRoot: boolean): Cell {
      const id = isRoot ? ROOT : ++last
      insert.run(id, encodeNode(cells, isRoot ? depth : 0, bytes))
      return { id, bounds: boundsOf(cells) }
    },
  }
}

function boundsOf(cells: readonly Cell[]): number[] {
  const bounds = [...(cells[0]?.bounds ?? [])]
  for (const { bounds: own } of cells) {
    for (let at = 0; at < bounds.length; at += 1) {
      const choose = at % 2 === 0 ? Math.min : Math.max
      bounds[at] = choose(bounds[at] as number, own[at] as number)
    }
  }
  return bounds
}

function encodeNode(cells: readonly Cell[], depth: number, bytes: number): Uint8Array {
  const node = Buffer.alloc(bytes)
  node.writeUInt16BE(depth, 0)
  node.writeUInt16BE(cells.length, 2)
  let at = HEADER_BYTES
  for (const { id, bounds } of cells) {
    node.writeUInt32BE(Math.floor(id / 2 ** 32), at)
    node.writeUInt32BE(id % 2 ** 32, at + 4)
    at += ID_BYTES
    for (const value of bounds) {
      node.writeInt32BE(value, at)
      at += VALUE_BYTES
    }
  }
  return node
}

/** Returns as many strips of points as each of them has nodes. One strip is held at a time. */
function readStrips(
  db: DatabaseSync,
  { columns, where }: Tree,
  { afterId, lastId }: Range,
  full: number,
) {
  const from = `FROM main.parcels WHERE id > ? AND id <= ? AND ${where}`
  const count = Number(db.prepare(`SELECT count(*) AS n ${from}`).get(afterId, lastId)?.n)
  const size = stripSize(count, full)
  const sorted = db.prepare(`SELECT id, ${columns} ${from} ORDER BY x`)
  sorted.setReturnArrays(true)
  function* read(): Generator<Cell[]> {
    let strip: Cell[] = []
    for (const row of sorted.iterate(afterId, lastId) as unknown as Iterable<number[]>) {
      const [id = 0, ...values] = row
      strip.push({ id, bounds: values.flatMap((value) => [value, value]) })
      if (strip.length < size) continue
      yield strip
      strip = []
    }
    if (strip.length > 0) yield strip
  }
  return { strips: read(), isOne: count <= full }
}

function stripSize(count: number, full: number): number {
  return full * Math.max(1, Math.ceil(Math.sqrt(count / full)))
}

/** Cuts the nodes of a level into groups for the level above. */
function tile(cells: Cell[], full: number): Cell[][] {
  const size = stripSize(cells.length, full)
  const sorted = [...cells].sort((a, b) => middle(a, X) - middle(b, X))
  const groups: Cell[][] = []
  for (let at = 0; at < sorted.length; at += size) {
    groups.push(...cutStrip(sorted.slice(at, at + size), full))
  }
  return groups
}

function cutStrip(strip: Cell[], full: number): Cell[][] {
  const sorted = strip.sort((a, b) => middle(a, Y) - middle(b, Y))
  const groups: Cell[][] = []
  for (let at = 0; at < sorted.length; at += full) groups.push(sorted.slice(at, at + full))
  return groups
}

const [X, Y] = [0, 1]

/** Twice the middle of a cell in a dimension. */
function middle({ bounds }: Cell, dimension: number): number {
  return (bounds[2 * dimension] as number) + (bounds[2 * dimension + 1] as number)
}
