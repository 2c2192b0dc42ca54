/** Grows the network of an owner over mailing addresses and care-of names, by scans of facts. */
import type { FactName } from '../../record/facts.ts'
import { type Column, numberAt } from '../../store/facts/chunk.ts'
import type { FactBlock, FactTable } from '../../store/facts/table.ts'
import { eachBlock, type Limits } from './pick.ts'
import type { FactTest } from './select.ts'

export type NodeKind = 'owner' | 'mailingAddress' | 'careOf'

/** `parcels`: record IDs, ascending. `left`: why it was not followed. */
export type Node = { kind: NodeKind; parcels: number[]; left?: string }
/** An owner and one of its addresses or care-of names. */
export type Link = { from: Node; to: Node; parcels: number }
export type Found = { nodes: Node[]; links: Link[]; complete: boolean }

/** `isNamed`: whether the parcel shows an owner, be its name too short to be known elsewhere. */
type NetworkAsked = { id: number; fips: number | undefined; depth: number; isNamed: boolean }

/** A place to be followed: a parcel with it, and a parcel of each of its owners. */
type Shared = { kind: NodeKind; id: number; owners: readonly number[] }
/** Why each place is not followed (`undefined`: it is); `undefined` alone when time is over. */
export type Judge = (places: readonly Shared[]) => Promise<(string | undefined)[] | undefined>

/** Different owners at an address of an agent, a bank or a tax service. */
const OWNERS_MAX = 30
const NODES_MAX = 200
/** An owner of so many parcels has single ones at addresses of tenants and former owners. */
const LARGE_MIN = 50
const LARGE_SHARE = 0.01

/** The key of a parcel's owner whose name alone identifies nobody: `PELLAM FAMILY TRUST`. */
const ALONE = 'alone'

const FACTS = ['owner', 'shortName', 'mailing', 'careOf'] as const satisfies FactName[]

type Key = string
/** One parcel: the keys of its owner, address and care-of name. */
type Row = { id: number; owner: Key; mailing: Key; careOf: Key }

/** Returns the nodes in the order in which they were met. */
export async function growNetwork(
  table: FactTable,
  { id, fips, depth, isNamed }: NetworkAsked,
  { judge, ...limits }: Limits & { judge: Judge },
): Promise<Found> {
  const county: FactTest[] = fips === undefined ? [] : [{ fact: 'county', from: fips, to: fips }]
  /** Returns the parcels with one of some keys, and that of the question. */
  const scan = async (keys: ReadonlySet<Key>) => {
    const found = await scanRows(table, county, { id, ...numbersOf(keys) }, limits)
    const subject = found.rows.find((row) => row.id === id)
    if (subject !== undefined) subject.owner = isNamed ? subject.owner || ALONE : ''
    const has = ({ owner, mailing, careOf }: Row) =>
      keys.has(owner) || keys.has(mailing) || keys.has(careOf)
    return { subject, rows: found.rows.filter(has), isWhole: found.isWhole }
  }
  const net = new Network()
  let { subject, rows, isWhole } = await scan(new Set())
  let complete = isWhole
  if (subject === undefined) return { nodes: [], links: [], complete }
  if (subject.owner !== '') net.follow('owner', subject.owner)
  for (let step = 1; step <= depth && net.waiting.size > 0; step += 1) {
    // First the owners' own parcels, and then all that share their addresses.
    const owners = net.take('owner')
    ;({ rows, isWhole } = await scan(owners))
    complete &&= isWhole
    net.addAll(rows)
    if (step === depth) break
    net.leaveSeldom()
    const places = net.take('mailingAddress', 'careOf')
    ;({ rows, isWhole } = await scan(places))
    complete &&= isWhole
    if (!(await net.leaveShared(gatherOwners(rows, places), judge))) return net.finish(false)
    net.addAll(rows.filter((row) => net.isFollowed(row.mailing) || net.isFollowed(row.careOf)))
    if (net.nodes.size > NODES_MAX) return net.finish(false)
  }
  return net.finish(complete)
}

/** The numbers of owners, addresses and care-of names by which a scan takes parcels. */
type Numbers = Record<'owner' | 'mailing' | 'careOf', ReadonlySet<number>>

function numbersOf(keys: ReadonlySet<Key>): Numbers {
  const of = (kind: string) =>
    new Set([...keys].flatMap((key) => (key[0] === kind ? Number.parseInt(key.slice(1), 10) : [])))
  return { owner: of('o'), mailing: of('m'), careOf: of('c') }
}

/**
 * Returns the parcels that have one of some numbers, and the one of a record ID. Numbers are
 * compared before keys are made, because keys of all parcels take most of a scan's time.
 */
async function scanRows(
  table: FactTable,
  tests: readonly FactTest[],
  wanted: Numbers & { id: number },
  limits: Limits,
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const facts = [...FACTS, ...tests.map(({ fact }) => fact)]
  const rows: Row[] = []
  for await (const selected of eachBlock(table, { tests }, facts, limits)) {
    if (selected === undefined) return { rows, isWhole: false }
    const { ids, columns } = selected.block
    const isWanted = {
      owner: openTest(columns.owner, wanted.owner),
      mailing: openTest(columns.mailing, wanted.mailing),
      careOf: openTest(columns.careOf, wanted.careOf),
    }
    for (const place of selected.list.subarray(0, selected.length)) {
      const id = ids[place] as number
      if (
        id === wanted.id ||
        isWanted.owner(place) ||
        isWanted.mailing(place) ||
        isWanted.careOf(place)
      ) {
        rows.push({ id, ...readKeys(columns, place) })
      }
    }
  }
  return { rows, isWhole: true }
}

/** Returns whether the parcel at a place has one of some numbers. */
function openTest(column: Column | undefined, numbers: ReadonlySet<number>) {
  if (column === undefined || numbers.size === 0) return () => false
  return (place: number) => numbers.has(numberAt(column, place))
}

function readKeys(columns: FactBlock['columns'], place: number): Omit<Row, 'id'> {
  const at = (name: FactName) => numberAt(columns[name] as Column, place)
  const mailing = keyOf('m', at('mailing'))
  const name = keyOf('o', at('owner'))
  // A name of two words is one owner only with its address.
  const owner = name !== '' && at('shortName') === 1 ? `${name} ${mailing}` : name
  return { owner, mailing, careOf: keyOf('c', at('careOf')) }
}
function keyOf(kind: string, number: number): Key {
  return Number.isNaN(number) ? '' : `${kind}${number}`
}

function gatherOwners(rows: readonly Row[], places: ReadonlySet<Key>): Map<Key, Map<Key, number>> {
  const found = new Map<Key, Map<Key, number>>()
  for (const key of places) found.set(key, new Map())
  for (const { id, owner, mailing, careOf } of rows) {
    for (const key of [mailing, careOf]) {
      const owners = found.get(key)
      // A parcel with a care-of name says more.
      if (owner !== '' && (careOf !== '' || !owners?.has(owner))) owners?.set(owner, id)
    }
  }
  return found
}

class Network {
  readonly nodes = new Map<Key, Node>()
  /** Keys of nodes that are still to be followed. */
  readonly waiting = new Map<Key, NodeKind>()
  readonly #links = new Map<string, Link>()
  readonly #seen = new Set<number>()

  follow(kind: NodeKind, key: Key): void {
    if (key === '' || this.nodes.has(key)) return
    this.nodes.set(key, { kind, parcels: [] })
    this.waiting.set(key, kind)
  }

  take(...kinds: NodeKind[]): Set<Key> {
    const taken = [...this.waiting].filter(([, kind]) => kinds.includes(kind))
    for (const [key] of taken) this.waiting.delete(key)
    return new Set(taken.map(([key]) => key))
  }

  /** Adds parcels with an owner, each once. */
  addAll(rows: readonly Row[]): void {
    for (const { id, owner, mailing, careOf } of rows) {
      if (owner === '' || this.#seen.has(id)) continue
      this.#seen.add(id)
      this.follow('owner', owner)
      this.follow('mailingAddress', mailing)
      this.follow('careOf', careOf)
      for (const key of [owner, mailing, careOf]) this.nodes.get(key)?.parcels.push(id)
      for (const key of [mailing, careOf]) this.#link(owner, key)
    }
  }

  /** Keeps as leaves what only a few of a large owner's parcels use. */
  leaveSeldom(): void {
    const used = Map.groupBy(this.#links.values(), ({ to }) => to)
    for (const key of this.waiting.keys()) {
      const node = this.nodes.get(key)
      const links = (node && used.get(node)) ?? []
      const isSeldom = ({ from, parcels }: Link) =>
        from.parcels.length >= LARGE_MIN && parcels < from.parcels.length * LARGE_SHARE
      if (node === undefined || links.length === 0 || !links.every(isSeldom)) continue
      const of = links.reduce((sum, { from }) => sum + from.parcels.length, 0)
      node.left = `only ${node.parcels.length} of the ${of} parcels of its owner use it`
    }
  }

  /** Marks what many, or differing, owners share as not followed. `false`: there was no time. */
  async leaveShared(owners: ReadonlyMap<Key, Map<Key, number>>, judge: Judge): Promise<boolean> {
    const asked: (Shared & { node: Node })[] = []
    for (const [key, ids] of owners) {
      const node = this.nodes.get(key)
      if (node === undefined || node.left !== undefined) continue
      if (ids.size > OWNERS_MAX) node.left = `${ids.size} different owners use it`
      else if (ids.size > 1) {
        asked.push({ node, kind: node.kind, id: node.parcels[0] ?? 0, owners: [...ids.values()] })
      }
    }
    const judged = await judge(asked)
    for (const [at, why] of judged?.entries() ?? []) {
      const node = asked[at]?.node
      if (why !== undefined && node !== undefined) node.left = why
    }
    return judged !== undefined
  }

  isFollowed(key: Key): boolean {
    const node = this.nodes.get(key)
    return node !== undefined && node.left === undefined
  }

  finish(complete: boolean): Found {
    const nodes = [...this.nodes.values()]
    for (const { parcels } of nodes) parcels.sort((a, b) => a - b)
    return { nodes, links: [...this.#links.values()], complete }
  }

  #link(owner: Key, key: Key): void {
    const [from, to] = [this.nodes.get(owner), this.nodes.get(key)]
    if (from === undefined || to === undefined) return
    const name = `${owner} ${key}`
    const known = this.#links.get(name)
    if (known === undefined) this.#links.set(name, { from, to, parcels: 1 })
    else known.parcels += 1
  }
}
