/**
 * Makes the R-tree of points at once, by sort-tile-recursive packing: points are sorted into
 * strips from west to east, each strip from south to north, and cut into nodes.
 *
 * Writes the tables behind the tree, whose form SQLite documents as "Shadow Tables":
 * https://www.sqlite.org/rtree.html. Figures: docs/performance.md.
 */
import type { DatabaseSync } from 'node:sqlite'

/** An entry of a node: a parcel's point, or the bounds of a node below, in units of places. */
type Cell = { id: number; west: number; east: number; south: number; north: number }

const HEADER_BYTES = 4
const CELL_BYTES = 24
/** Share of a node that is filled, so that a refresh can add to most nodes without a split. */
const FILLED = 0.9
const ROOT = 1

/** Makes the tree anew with the points of all parcels in a range of ids. */
export function packPoints(db: DatabaseSync, afterId: number, lastId: number): void {
  // The driver's defensive mode forbids writing the tables behind a virtual table.
  db.enableDefensive(false)
  try {
    pack(db, afterId, lastId)
  } finally {
    db.enableDefensive(true)
  }
}

function pack(db: DatabaseSync, afterId: number, lastId: number): void {
  const nodes = openNodes(db)
  const insertParent = db.prepare('INSERT INTO main.points_parent VALUES (?, ?)')
  const { strips, isOne } = readStrips(db, afterId, lastId, nodes.full)
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
  const insertRow = db.prepare('INSERT INTO main.points_rowid VALUES (?, ?)')
  leafOf.forEach((leaf, at) => {
    if (leaf !== 0) insertRow.run(afterId + 1 + at, leaf)
  })
}

/** Returns the writer of nodes, and the number of cells that it should get for each. */
function openNodes(db: DatabaseSync) {
  const root = db.prepare('SELECT length(data) AS bytes FROM main.points_node WHERE nodeno = 1')
  const bytes = Number(root.get()?.bytes)
  for (const table of ['node', 'parent', 'rowid']) db.exec(`DELETE FROM main.points_${table}`)
  const insert = db.prepare('INSERT INTO main.points_node VALUES (?, ?)')
  let last = ROOT
  return {
    full: Math.floor(((bytes - HEADER_BYTES) / CELL_BYTES) * FILLED),
    /** Returns the node as a cell of the node above. */
    write(cells: readonly Cell[], depth: number, isRoot: boolean): Cell {
      const id = isRoot ? ROOT : ++last
      insert.run(id, encodeNode(cells, isRoot ? depth : 0, bytes))
      return {
        id,
        west: Math.min(...cells.map(({ west }) => west)),
        east: Math.max(...cells.map(({ east }) => east)),
        south: Math.min(...cells.map(({ south }) => south)),
        north: Math.max(...cells.map(({ north }) => north)),
      }
    },
  }
}

function encodeNode(cells: readonly Cell[], depth: number, bytes: number): Uint8Array {
  const node = Buffer.alloc(bytes)
  node.writeUInt16BE(depth, 0)
  node.writeUInt16BE(cells.length, 2)
  let at = HEADER_BYTES
  for (const { id, west, east, south, north } of cells) {
    node.writeUInt32BE(Math.floor(id / 2 ** 32), at)
    node.writeUInt32BE(id % 2 ** 32, at + 4)
    node.writeInt32BE(west, at + 8)
    node.writeInt32BE(east, at + 12)
    node.writeInt32BE(south, at + 16)
    node.writeInt32BE(north, at + 20)
    at += CELL_BYTES
  }
  return node
}

/** Returns as many strips of points as each of them has nodes. One strip is held at a time. */
function readStrips(db: DatabaseSync, afterId: number, lastId: number, full: number) {
  const from = 'FROM main.parcels WHERE id > ? AND id <= ? AND x IS NOT NULL'
  const count = Number(db.prepare(`SELECT count(*) AS n ${from}`).get(afterId, lastId)?.n)
  const size = stripSize(count, full)
  const sorted = db.prepare(`SELECT id, x, y ${from} ORDER BY x`)
  function* read(): Generator<Cell[]> {
    let strip: Cell[] = []
    type Row = { id: number; x: number; y: number }
    for (const { id, x, y } of sorted.iterate(afterId, lastId) as Iterable<Row>) {
      strip.push({ id, west: x, east: x, south: y, north: y })
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
  const sorted = [...cells].sort((a, b) => a.west + a.east - b.west - b.east)
  const groups: Cell[][] = []
  for (let at = 0; at < sorted.length; at += size) {
    groups.push(...cutStrip(sorted.slice(at, at + size), full))
  }
  return groups
}

function cutStrip(strip: Cell[], full: number): Cell[][] {
  const sorted = strip.sort((a, b) => a.south + a.north - b.south - b.north)
  const groups: Cell[][] = []
  for (let at = 0; at < sorted.length; at += full) groups.push(sorted.slice(at, at + full))
  return groups
}
