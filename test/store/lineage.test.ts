/** Links between parcels on invented subdivisions, of which the truth is known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankParcel } from '../../src/record/parcel.ts'
import { encodeParcel } from '../../src/record/stored.ts'
import { EVIDENCE, LINK_KINDS } from '../../src/store/lineage/link.ts'
import { RollLinker } from '../../src/store/lineage/link-rolls.ts'
import { encodeKeys, encodeOwners } from '../../src/store/parcel-keys.ts'
import type { VersionForm } from '../../src/store/versions/versions.ts'
import { type InventedLot, type InventedYear, inventYear, type TrueLink } from './subdivisions.ts'

function formOf({ parcelId, ring, address, unit, owner, legal, acres, formerIds }: InventedLot) {
  const parcel = { ...blankParcel(parcelId, 55025), legalDescription: legal, acres }
  parcel.formerParcelIds = formerIds
  const [head = '', rest = ''] = owner.split(', ')
  const owners = encodeOwners({ heads: [{ slot: 1, kind: 'person', head, rest }], words: [] })
  const situs = [{ key: address, looseKey: '', unitKey: unit, alternates: [] }]
  const closed = ring && [...ring, ring[0] as [number, number]].map(([x, y]) => [x / 1e7, y / 1e7])
  const form: VersionForm = {
    fieldValues: encodeParcel(parcel),
    keys: encodeKeys({ alternateIds: [], situs, owners }),
    geometry: closed && JSON.stringify({ type: 'Polygon', coordinates: [closed] }),
  }
  return form
}

/** Links a year, and returns its links by parcel IDs. */
function linkYear({ before, after }: InventedYear) {
  const [old, now] = [before, after].map((lots) => new Map(lots.map((lot) => [lot.parcelId, lot])))
  const ids = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
  const linker = new RollLinker()
  for (const [id, parcelId] of ids.entries()) {
    const [was, is] = [old?.get(parcelId), now?.get(parcelId)]
    linker.add({ id, before: was && formOf(was), after: is && formOf(is) })
  }
  return linker.link().map((link) => ({
    ...link,
    parent: ids[link.parent] ?? '',
    child: ids[link.child] ?? '',
    kind: LINK_KINDS[link.kind] ?? 'split',
  }))
}

const nameOf = ({ parent, child, kind }: TrueLink) => `${parent} ${child} ${kind}`

/** Right, wrong and missed links by kind. */
function judge(year: InventedYear, counts: Map<string, [number, number, number]>) {
  const found = linkYear(year)
  const truth = new Set(year.truth.map(nameOf))
  const known = new Set(found.map(nameOf))
  for (const kind of LINK_KINDS) {
    const own = counts.get(kind) ?? [0, 0, 0]
    const ofKind = found.filter((link) => link.kind === kind)
    own[0] += ofKind.filter((link) => truth.has(nameOf(link))).length
    own[1] += ofKind.filter((link) => !truth.has(nameOf(link))).length
    own[2] += year.truth.filter((link) => link.kind === kind && !known.has(nameOf(link))).length
    counts.set(kind, own)
  }
  return found
}

test('invented subdivisions: 99 of 100 links are right, and none joins lots apart', (t) => {
  const counts = new Map<string, [number, number, number]>()
  for (let seed = 1; seed <= 20; seed += 1) {
    const year = inventYear(seed, 65)
    const found = judge(year, counts)
    const block = (parcelId: string) => {
      const at = year.before.findIndex((lot) => lot.parcelId === parcelId)
      return at === -1 ? undefined : Math.floor(at / 24)
    }
    // A child is of the block of its parent, when it was there before.
    for (const { parent, child } of found) {
      assert.ok(block(child) === undefined || block(child) === block(parent), `${parent} ${child}`)
    }
  }
  t.diagnostic('kind          right  wrong  missed')
  let [right, all] = [0, 0]
  for (const [kind, [good, wrong, missed]] of counts) {
    t.diagnostic(
      `${kind.padEnd(12)} ${[good, wrong, missed].map((n) => `${n}`.padStart(6)).join(' ')}`,
    )
    right += good
    all += good + wrong + missed
  }
  assert.ok(right / all >= 0.99, `${right} of ${all}`)
  for (const kind of LINK_KINDS) assert.ok((counts.get(kind)?.[0] ?? 0) > 10, kind)
})

const lot = (parcelId: string, more: Partial<InventedLot> = {}): InventedLot => ({
  ...{ parcelId, ring: null, address: '', unit: '', owner: '', legal: '', acres: 1, formerIds: [] },
  ...more,
})
const box = (west: number, east: number): [number, number][] => [
  [west, 430_000_000],
  [east, 430_000_000],
  [east, 430_003_000],
  [west, 430_003_000],
]
const [LEFT, RIGHT] = [box(0, 3000), box(3000, 6000)]
const holding = { owner: 'ROE, JO', legal: 'LOT 1', address: '1 OAK' }

type Case = [name: string, before: InventedLot[], after: InventedLot[], links: string[]]
const CASES: Case[] = [
  ['a former ID', [lot('A')], [lot('B', { formerIds: ['A'] })], ['A B renumbered formerParcelIds']],
  [
    'a former ID between polygons that are apart',
    [lot('A', { ring: LEFT })],
    [lot('B', { ring: box(9000, 12_000), formerIds: ['A'] })],
    [],
  ],
  [
    'a former ID between polygons that only touch',
    [lot('A', { ring: LEFT })],
    [lot('B', { ring: RIGHT, formerIds: ['A'] })],
    [],
  ],
  [
    'equal address and holding of polygons that are apart',
    [lot('A', { ring: LEFT, ...holding })],
    [lot('B', { ring: box(9000, 12_000), ...holding })],
    [],
  ],
  [
    'all that may speak for a link',
    [lot('A', { ring: LEFT, ...holding })],
    [lot('B', { ring: LEFT, ...holding, formerIds: ['A'] })],
    ['A B renumbered overlay+formerParcelIds+address+owner'],
  ],
  [
    'an address that two parcels left',
    [lot('A', { address: '1 OAK' }), lot('B', { address: '1 OAK' })],
    [lot('C', { address: '1 OAK' })],
    [],
  ],
  [
    'an address with another unit',
    [lot('A', { address: '1 OAK', unit: '2' })],
    [lot('B', { address: '1 OAK', unit: '3' })],
    [],
  ],
  [
    'units that become a house',
    [lot('A', { address: '1 OAK', unit: '1' }), lot('B', { address: '1 OAK', unit: '2' })],
    [lot('C', { address: '1 OAK' })],
    ['A C merge address', 'B C merge address'],
  ],
  [
    'the same owner without a description',
    [lot('A', { owner: 'ROE, JO' })],
    [lot('B', { owner: 'ROE, JO' })],
    [],
  ],
  [
    'units of one polygon keep to their own address',
    [1, 2, 3].map((n) => lot(`A${n}`, { ring: LEFT, address: '1 OAK', unit: `${n}` })),
    [1, 2, 3].map((n) => lot(`B${n}`, { ring: LEFT, address: '1 OAK', unit: `${n}` })),
    [1, 2, 3].map((n) => `A${n} B${n} renumbered overlay+address`),
  ],
  [
    'a unit that is added to others',
    [lot('A', { ring: LEFT }), lot('B', { ring: LEFT })],
    [lot('A', { ring: LEFT }), lot('B', { ring: LEFT }), lot('C', { ring: LEFT })],
    [],
  ],
  [
    'a strip of ten centimetres',
    [lot('A', { ring: LEFT }), lot('B', { ring: RIGHT })],
    [lot('A', { ring: box(0, 3010) }), lot('B', { ring: box(3010, 6000) })],
    [],
  ],
  [
    'a strip of three metres',
    [lot('A', { ring: LEFT }), lot('B', { ring: RIGHT })],
    [lot('A', { ring: box(0, 3300) }), lot('B', { ring: box(3300, 6000) })],
    ['B A adjustment overlay'],
  ],
  [
    'a parcel that only changes its polygon',
    [lot('A', { ring: LEFT })],
    [lot('A', { ring: RIGHT })],
    [],
  ],
]

test('links of single cases, with what speaks for them', () => {
  for (const [name, before, after, links] of CASES) {
    const found = linkYear({ before, after, truth: [] }).map(({ evidence, ...one }) => {
      const why = EVIDENCE.filter((_, at) => (evidence & (1 << at)) !== 0)
      return `${nameOf(one)} ${why.join('+')}`
    })
    assert.deepEqual(found.toSorted(), links, name)
  }
})
