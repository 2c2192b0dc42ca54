/**
 * Invented subdivisions with their truth: blocks of lots of which a year splits, merges, moves and
 * renumbers some. Every lot is a skewed box, and lots of a block share edges.
 */

/** Longitude and latitude in ten-millionths of a degree. */
type Corner = [number, number]

export type InventedLot = {
  parcelId: string
  ring: Corner[] | null
  address: string
  unit: string
  owner: string
  legal: string
  acres: number
  formerIds: string[]
}

type Kind = 'split' | 'merge' | 'adjustment' | 'renumbered'

/** A link between parcel IDs before and after. */
export type TrueLink = { parent: string; child: string; kind: Kind }

export type InventedYear = { before: InventedLot[]; after: InventedLot[]; truth: TrueLink[] }

/** A random number below 1, the same for the same seed. */
export function openRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Random = () => number

/** A lot's side in units: some 30 m. */
const SIDE = 3000

/** What a year may do to a block of lots. Each returns the lots after it, and the truth. */
const EVENTS: ((block: Block) => Omit<InventedYear, 'before'>)[] = [
  (block) => splitLot(block, block.pick(2, 40), false),
  (block) => splitLot(block, block.pick(2, 6), true),
  (block) => mergeLots(block, block.pick(2, 20), false),
  (block) => mergeLots(block, 2, true),
  moveBoundary,
  swapLots,
  cutRoad,
  renumberLot,
  resubdivide,
  (block) => makeCondominium(block, true),
  (block) => makeCondominium(block, false),
  renumberUnplaced,
  nothing,
]

type Block = {
  lots: InventedLot[]
  random: Random
  /** A whole number from `least` to `most`. */
  pick(least: number, most: number): number
  newId(): string
  /** The point at shares of the block's width and height. */
  at(x: number, y: number): Corner
}

/** Returns a year of `events` events, each in its own block of a row of 24 lots. */
export function inventYear(seed: number, events: number): InventedYear {
  const random = openRandom(seed)
  const year: InventedYear = { before: [], after: [], truth: [] }
  let ids = 0
  for (let at = 0; at < events; at += 1) {
    const block = makeBlock(random, at, () => `${seed % 100}-${++ids}`)
    const event = EVENTS[at % EVENTS.length] as (typeof EVENTS)[number]
    const { after, truth } = event(block)
    year.before.push(...block.lots)
    year.after.push(...after)
    year.truth.push(...truth)
  }
  return year
}

const LOTS = 24

function makeBlock(random: Random, index: number, newId: () => string): Block {
  const west = -900_000_000 + (index % 50) * (LOTS + 1) * SIDE
  const south = 430_000_000 + Math.floor(index / 50) * SIDE
  const skew = 0.2 * random()
  const block: Block = {
    lots: [],
    random,
    newId,
    pick: (least, most) => least + Math.floor(random() * (most - least + 1)),
    at: (x, y) => [
      Math.round(west + x * SIDE + y * skew * SIDE),
      Math.round(south + y * SIDE + ((x * 37) % 11) * 3),
    ],
  }
  for (let lot = 0; lot < LOTS; lot += 1) {
    block.lots.push({
      ...{ parcelId: newId(), ring: strip(block, lot, lot + 1), unit: '' },
      ...{ address: `${100 + 2 * lot} STREET ${index}`, owner: `OWNER${lot}, ANN ${index}` },
      ...{ legal: `BLOCK ${index} LOT ${lot}`, acres: 0.25, formerIds: [] },
    })
  }
  return block
}

/** The land between two shares of a block's width; `low` and `high` are shares of its height. */
function strip({ at }: Block, from: number, to: number, low = 0, high = 1): Corner[] {
  // Corners of neighbours lie on the common edge.
  const steps = [from, ...whole(from, to), to]
  const south = steps.map((x) => at(x, low))
  const north = steps.toReversed().map((x) => at(x, high))
  return [...south, ...north]
}

function whole(from: number, to: number): number[] {
  const found: number[] = []
  for (let x = Math.floor(from) + 1; x < to; x += 1) found.push(x)
  return found
}

function link(kind: Kind, parents: InventedLot[], children: InventedLot[]): TrueLink[] {
  return parents.flatMap(({ parcelId: parent }) =>
    children.map(({ parcelId: child }) => ({ parent, child, kind })),
  )
}

function lotOf(block: Block, at: number): InventedLot {
  return block.lots[at] as InventedLot
}

/** `remains`: the first part keeps the lot's ID. */
function splitLot(block: Block, parts: number, remains: boolean) {
  const at = block.pick(0, LOTS - 1)
  const old = lotOf(block, at)
  const made = Array.from({ length: parts }, (_, part): InventedLot => {
    const isOld = remains && part === 0
    return {
      ...old,
      parcelId: isOld ? old.parcelId : block.newId(),
      ring: strip(block, at + part / parts, at + (part + 1) / parts),
      address: part === 0 ? old.address : `${old.address}-${part}`,
      ...{ legal: `${old.legal} PART ${part}`, acres: old.acres / parts },
    }
  })
  const children = remains ? made.slice(1) : made
  return { after: replace(block, [old], made), truth: link('split', [old], children) }
}

/** `remains`: the merged lot keeps the ID of the first. */
function mergeLots(block: Block, parts: number, remains: boolean) {
  const at = block.pick(0, LOTS - parts)
  const old = block.lots.slice(at, at + parts)
  const first = lotOf(block, at)
  const merged = {
    ...{ ...first, parcelId: remains ? first.parcelId : block.newId(), acres: parts * 0.25 },
    ...{ ring: strip(block, at, at + parts), legal: `${first.legal} AND MORE` },
  }
  const parents = remains ? old.slice(1) : old
  return { after: replace(block, old, [merged]), truth: link('merge', parents, [merged]) }
}

/** The edge between two lots moves into the second. */
function moveBoundary(block: Block) {
  const at = block.pick(0, LOTS - 2)
  const [one, other] = [lotOf(block, at), lotOf(block, at + 1)]
  const edge = at + 1 + 0.05 + 0.6 * block.random()
  const made = [
    { ...one, ring: strip(block, at, edge) },
    { ...other, ring: strip(block, edge, at + 2) },
  ]
  const truth = link('adjustment', [other], [one])
  return { after: replace(block, [one, other], made), truth }
}

/** Two lots exchange their land. */
function swapLots(block: Block) {
  const at = block.pick(0, LOTS - 4)
  const [one, other] = [lotOf(block, at), lotOf(block, at + 2)]
  const made = [
    { ...one, ring: other.ring },
    { ...other, ring: one.ring },
  ]
  const truth = [...link('adjustment', [one], [other]), ...link('adjustment', [other], [one])]
  return { after: replace(block, [one, other], made), truth }
}

/** A road takes land of three lots: one keeps its ID, one gets another, one is cut in two. */
function cutRoad(block: Block) {
  const at = block.pick(0, LOTS - 3)
  const [kept, renamed, halved] = [0, 1, 2].map((by) => lotOf(block, at + by)) as [
    ...[InventedLot, InventedLot, InventedLot],
  ]
  const smaller = { ...kept, ring: strip(block, at, at + 1, 0.3, 1) }
  const other = { ...renamed, parcelId: block.newId(), ring: strip(block, at + 1, at + 2, 0.3, 1) }
  const halves = [
    { ...halved, parcelId: block.newId(), ring: strip(block, at + 2, at + 3, 0, 0.4) },
    { ...halved, parcelId: block.newId(), ring: strip(block, at + 2, at + 3, 0.6, 1) },
  ]
  const truth = [...link('adjustment', [renamed], [other]), ...link('split', [halved], halves)]
  const after = replace(block, [kept, renamed, halved], [smaller, other, ...halves])
  return { after, truth }
}

function renumberLot(block: Block) {
  const old = lotOf(block, block.pick(0, LOTS - 1))
  const made = { ...old, parcelId: block.newId() }
  return { after: replace(block, [old], [made]), truth: link('renumbered', [old], [made]) }
}

/** Two lots become three of the same width. */
function resubdivide(block: Block) {
  const at = block.pick(0, LOTS - 2)
  const old = [lotOf(block, at), lotOf(block, at + 1)]
  const made = [0, 1, 2].map((part) => ({
    ...lotOf(block, at),
    ...{ parcelId: block.newId(), address: `${part} NEW ${lotOf(block, at).address}` },
    ring: strip(block, at + (2 * part) / 3, at + (2 * (part + 1)) / 3),
  }))
  const [left, middle, right] = made as [InventedLot, InventedLot, InventedLot]
  const truth = [
    ...link('split', old.slice(0, 1), [left, middle]),
    ...link('split', old.slice(1), [middle, right]),
  ]
  return { after: replace(block, old, made), truth }
}

/** `placed`: the units have the polygon of the lot; else they have none. */
function makeCondominium(block: Block, placed: boolean) {
  const old = lotOf(block, block.pick(0, LOTS - 1))
  const units = Array.from({ length: block.pick(2, 30) }, (_, at) => ({
    ...{ ...old, parcelId: block.newId(), unit: `${at + 1}`, owner: `UNIT${at}, JO` },
    ...{ ring: placed ? old.ring : null, legal: `${old.legal} UNIT ${at + 1}` },
  }))
  return { after: replace(block, [old], units), truth: link('split', [old], units) }
}

/** A lot without a polygon gets another ID: by its address, or by owner and description. */
function renumberUnplaced(block: Block) {
  const truth: TrueLink[] = []
  const after = block.lots.map((lot, at) => {
    lot.ring = null
    if (at % 8 !== 0) return lot
    const made = { ...lot, parcelId: block.newId() }
    if (at % 3 === 1) made.address = `9${made.address}`
    if (at % 3 === 2) made.owner = 'SOMEBODY, ELSE'
    truth.push(...link('renumbered', [lot], [made]))
    return made
  })
  return { after, truth }
}

/** A lot goes, and another comes elsewhere. */
function nothing(block: Block) {
  const [gone, other] = [lotOf(block, 3), lotOf(block, 20)]
  const come = {
    ...{ ...other, parcelId: block.newId(), address: '1 FAR ROAD', legal: 'NEW', owner: 'NEW, A' },
    ring: strip(block, 20, 21, 500, 501),
  }
  return { after: replace(block, [gone], [come]), truth: [] }
}

function replace(block: Block, old: InventedLot[], made: InventedLot[]): InventedLot[] {
  return [...block.lots.filter((lot) => !old.includes(lot)), ...made]
}
