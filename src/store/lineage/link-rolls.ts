/**
 * Finds what parcels came from: links between those that a roll removed or moved, and those that it
 * added or moved. Land decides where both have polygons; else former IDs, an equal address and
 * unit, or an equal owner with legal description and area.
 */
import { LINK_KINDS, type Link } from './link.ts'
import { type Lot, sharedArea } from './overlay.ts'
import { openLots, type RollPair, readSides, type Side } from './sides.ts'

/** Land that changes hands: at least this share of the smaller parcel, … */
const LEAST_SHARE = 0.01
/** … and a strip of this width along a square of the smaller one's area, in metres. */
const LEAST_STRIP_M = 0.5
/** The same land: at least this share of both. */
const SAME_LAND = 9000
/** A share of all. */
const WHOLE = 10_000
/** Metres of a ten-millionth of a degree of latitude. */
const METERS_PER_UNIT = 0.0111195
/** Parcels whose polygon moves are compared up to this number; beyond it the roll is redrawn. */
const MOVED_MAX = 200_000

type Pairing = Omit<Link, 'kind' | 'parent' | 'child'> & { parent: Side; child: Side }

/** Collects the parcels that a roll changed, and links them. */
export class RollLinker {
  readonly #gone: Side[] = []
  readonly #come: Side[] = []
  #moved = 0

  add(pair: RollPair): void {
    const [old, now] = readSides(pair)
    if (old !== undefined && now !== undefined && isMove(old, now)) {
      this.#moved += 1
      if (this.#moved > MOVED_MAX) return
    }
    if (old !== undefined) this.#gone.push(old)
    if (now !== undefined) this.#come.push(now)
  }

  link(): Link[] {
    const [gone, come] = [this.#gone, this.#come]
    const { pairings, touching } = overlay(gone, come)
    const links = settleStacked(pairings)
    addFormerIds({ gone, come, links, touching })
    addEqual({ gone, come, links, touching })
    return nameKinds(links)
  }
}

function isMove(old: Side, now: Side): boolean {
  return old.parcelKey === now.parcelKey
}

type Linking = { gone: Side[]; come: Side[]; links: Pairing[]; touching: ReadonlySet<string> }

function nameOf(parent: Side, child: Side): string {
  return `${parent.id} ${child.id}`
}

/** Links by land. `touching`: pairs that share any area. */
function overlay(gone: Side[], come: Side[]) {
  const lotOf = openLots()
  const near = indexPlaces(come, lotOf)
  const pairings: Pairing[] = []
  const touching = new Set<string>()
  for (const parent of gone) {
    const lot = lotOf(parent)
    if (lot === undefined) continue
    for (const child of near(lot)) {
      const own = lotOf(child)
      if (own === undefined || (child.id === parent.id && isMove(parent, child))) continue
      const shared = sharedArea(lot, own)
      if (shared <= 0) continue
      touching.add(nameOf(parent, child))
      const moved = shared - staying({ parent, child, lot, own }, lotOf)
      if (moved < leastMoved(lot, own)) continue
      const shares = { shareOfParent: share(moved, lot), shareOfChild: share(moved, own) }
      pairings.push({ parent, child, ...shares, evidence: 1 })
    }
  }
  return { pairings, touching }
}

type Overlaid = { parent: Side; child: Side; lot: Lot; own: Lot }

/** Area that both shared before, or share still, as units of a condominium do. */
function staying(
  { parent, child, lot, own }: Overlaid,
  lotOf: (side: Side | undefined) => Lot | undefined,
): number {
  if (parent.id === child.id) return 0
  const [before, after] = [lotOf(child.other), lotOf(parent.other)]
  const shared = [before && sharedArea(lot, before), after && sharedArea(after, own)]
  return Math.max(0, ...shared.filter((area) => area !== undefined))
}

function leastMoved(one: Lot, other: Lot): number {
  const area = Math.min(one.area, other.area)
  const latitude = ((one.south + one.north) / 2e7) * (Math.PI / 180)
  const squareMeters = METERS_PER_UNIT ** 2 * Math.cos(latitude)
  const strip = (LEAST_STRIP_M * Math.sqrt(area * squareMeters)) / squareMeters
  return Math.min(area / 2, Math.max(LEAST_SHARE * area, strip))
}

function share(moved: number, { area }: Lot): number {
  return Math.min(WHOLE, Math.round((moved / area) * WHOLE))
}

/** Side of a square of the index in ten-millionths of a degree, and most squares of a parcel. */
const SQUARE = 20_000
const SQUARES_MAX = 400

function indexPlaces(
  sides: Side[],
  lotOf: (side: Side) => Lot | undefined,
): (lot: Lot) => Iterable<Side> {
  const squares = new Map<string, Side[]>()
  const wide: Side[] = []
  for (const side of sides) {
    const lot = lotOf(side)
    if (lot === undefined) continue
    const own = squaresOf(lot)
    if (own === undefined) wide.push(side)
    for (const square of own ?? []) {
      squares.getOrInsertComputed(square, () => []).push(side)
    }
  }
  return (lot) => {
    const own = squaresOf(lot)
    if (own === undefined) return sides
    return new Set([...own.flatMap((square) => squares.get(square) ?? []), ...wide])
  }
}

function squaresOf({ west, south, east, north }: Lot): string[] | undefined {
  const [x0, x1, y0, y1] = [west, east, south, north].map((at) => Math.floor(at / SQUARE)) as [
    ...[number, number, number, number],
  ]
  if ((x1 - x0 + 1) * (y1 - y0 + 1) > SQUARES_MAX) return undefined
  const squares: string[] = []
  for (let x = x0; x <= x1; x += 1) for (let y = y0; y <= y1; y += 1) squares.push(`${x} ${y}`)
  return squares
}

/** Of equal land, as in a condominium, those of the same address or holding belong together. */
function settleStacked(pairings: Pairing[]): Pairing[] {
  const same = pairings.filter(isSameLand)
  const parents = Map.groupBy(same, ({ parent }) => parent)
  const children = Map.groupBy(same, ({ child }) => child)
  const isStacked = ({ parent, child }: Pairing) =>
    (parents.get(parent)?.length ?? 0) > 1 && (children.get(child)?.length ?? 0) > 1
  const settled = new Map<Side, Side>()
  for (const isEqual of [hasSameAddress, hasSameHolding]) {
    for (const { parent, child } of same) {
      if (settled.has(parent) || settled.has(child) || !isEqual(parent, child)) continue
      settled.set(parent, child)
      settled.set(child, parent)
    }
  }
  return pairings.filter((one) => {
    if (!isSameLand(one) || !isStacked(one)) return true
    const [ofParent, ofChild] = [settled.get(one.parent), settled.get(one.child)]
    if (ofParent === undefined && ofChild === undefined) return true
    return ofParent === one.child
  })
}

function isSameLand({ shareOfParent, shareOfChild }: Pairing): boolean {
  return (shareOfParent ?? WHOLE) >= SAME_LAND && (shareOfChild ?? WHOLE) >= SAME_LAND
}

function hasSameAddress(parent: Side, child: Side): boolean {
  return parent.street !== '' && parent.street === child.street && parent.unit === child.unit
}

function hasSameHolding(parent: Side, child: Side): boolean {
  return parent.holding !== '' && parent.holding === child.holding
}

/** Adds links of former IDs that the roll itself names; not between polygons that are apart. */
function addFormerIds({ gone, come, links, touching }: Linking): void {
  const byId = Map.groupBy(gone, ({ parcelKey }) => `former:${parcelKey}`)
  const known = new Map(links.map((link) => [nameOf(link.parent, link.child), link]))
  for (const child of come) {
    for (const id of child.formerIds) {
      for (const parent of byId.get(id) ?? []) {
        if (parent.id === child.id && isMove(parent, child)) continue
        const link = known.get(nameOf(parent, child))
        if (link !== undefined) link.evidence |= 2
        else if (mayBeLinked(parent, child, touching)) links.push(unplaced(parent, child, 2))
      }
    }
  }
}

function mayBeLinked(parent: Side, child: Side, touching: ReadonlySet<string>): boolean {
  const arePlaced = parent.geometry !== null && child.geometry !== null
  return !arePlaced || touching.has(nameOf(parent, child))
}

function unplaced(parent: Side, child: Side, evidence: number): Pairing {
  return { parent, child, shareOfParent: null, shareOfChild: null, evidence }
}

/** Adds evidence of equal addresses and holdings, and links of parcels that have no other one. */
function addEqual({ gone, come, links, touching }: Linking): void {
  for (const link of links) {
    if (hasSameAddress(link.parent, link.child)) link.evidence |= 4
    if (hasSameHolding(link.parent, link.child)) link.evidence |= 8
  }
  const rules: { keyOf(side: Side): string; bit: number; isOneOfMany?: true }[] = [
    {
      keyOf: ({ street, unit, holding: own }) => street && own && `${street}|${unit}|${own}`,
      bit: 4,
    },
    { keyOf: ({ street, unit }) => street && `${street}|${unit}`, bit: 4 },
    { keyOf: ({ holding }) => holding, bit: 8 },
    { keyOf: ({ street }) => street, bit: 4, isOneOfMany: true },
  ]
  for (const { keyOf, bit, isOneOfMany } of rules) {
    const linked = new Set(links.flatMap(({ parent, child }) => [parent, child]))
    const isFree = (side: Side) => !linked.has(side) && keyOf(side) !== '' && isAlone(side)
    const parents = Map.groupBy(gone.filter(isFree), keyOf)
    const children = Map.groupBy(come.filter(isFree), keyOf)
    for (const [key, old] of parents) {
      const now = children.get(key) ?? []
      if (isOneOfMany ? !isHouse(old, now) && !isHouse(now, old) : old.length * now.length !== 1) {
        continue
      }
      for (const parent of old) {
        for (const child of now) {
          if (!mayBeLinked(parent, child, touching)) continue
          const equal = hasSameHolding(parent, child) ? bit | 8 : bit
          links.push(unplaced(parent, child, equal))
        }
      }
    }
  }
}

/** A parcel without another side, or with another ID there. */
function isAlone({ other, parcelKey }: Side): boolean {
  return other === undefined || other.parcelKey !== parcelKey
}

/** One house without a unit, and its units. */
function isHouse(house: Side[], units: Side[]): boolean {
  return house.length === 1 && house[0]?.unit === '' && units.every(({ unit }) => unit !== '')
}

function nameKinds(links: Pairing[]): Link[] {
  const children = Map.groupBy(links, ({ parent }) => parent)
  const parents = Map.groupBy(links, ({ child }) => child)
  return links.map((link) => {
    const { parent, child, ...shown } = link
    const kind = kindOf(link, {
      children: children.get(parent)?.length ?? 0,
      parents: parents.get(child)?.length ?? 0,
    })
    return { ...shown, parent: parent.id, child: child.id, kind: LINK_KINDS.indexOf(kind) }
  })
}

/** `children`, `parents`: how many the link's parcels have. */
function kindOf(
  link: Pairing,
  { children, parents }: { children: number; parents: number },
): (typeof LINK_KINDS)[number] {
  const { parent, child } = link
  const [stays, was] = [!isAlone(parent), !isAlone(child)]
  if (stays && was) return 'adjustment'
  if (stays) return 'split'
  if (was) return 'merge'
  if (children > 1) return 'split'
  if (parents > 1) return 'merge'
  return isSameLand(link) ? 'renumbered' : 'adjustment'
}
