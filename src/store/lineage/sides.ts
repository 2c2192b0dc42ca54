/** What links compare of a parcel that a roll changed, before or after it. */
import { foldFormerId, stripParcelId } from '../../base/fold.ts'
import { openFields } from '../../record/stored.ts'
import type { EncodedKeys } from '../parcel-keys.ts'
import type { VersionForm } from '../versions/versions.ts'
import { type Lot, readLot } from './overlay.ts'

/** A parcel before and after a roll; a side without a parcel is absent. */
export type RollPair = {
  id: number
  before: VersionForm | undefined
  after: VersionForm | undefined
}

export type Side = {
  id: number
  /** GeoJSON; `null` without a polygon. */
  geometry: string | null
  /** The same parcel on the other side of the roll. */
  other: Side | undefined
  parcelKey: string
  /** Strict key and unit of its first address; `''` when unknown. */
  street: string
  unit: string
  /** Owner, legal description and area; `''` unless all are known. */
  holding: string
  /** Former IDs as `foldFormerId` has them. */
  formerIds: string[]
}

const readFields = openFields(['parcelId', 'formerParcelIds', 'legalDescription', 'acres'])

/** Reads both sides; `undefined` when its place and its ID stay. */
export function readSides({ id, before, after }: RollPair): [Side | undefined, Side | undefined] {
  const [old, now] = [before && readSide(id, before), after && readSide(id, after)]
  if (old === undefined || now === undefined) return [old, now]
  if (old.geometry === now.geometry && old.parcelKey === now.parcelKey)
    return [undefined, undefined]
  old.other = now
  now.other = old
  return [old, now]
}

function readSide(id: number, { fieldValues, keys, geometry }: VersionForm): Side {
  const { parcelId, formerParcelIds, legalDescription, acres } = readFields(fieldValues)
  const { s, h } = JSON.parse(keys) as EncodedKeys
  const [street = '', , unit = ''] = s[0] ?? []
  const owner = h.map((head) => head.slice(1).join(' ')).join('/')
  const isKnown = owner !== '' && legalDescription !== null && acres !== null
  return {
    ...{ id, geometry, other: undefined, street, unit },
    parcelKey: stripParcelId(parcelId ?? ''),
    holding: isKnown ? `${owner}|${legalDescription}|${acres}` : '',
    formerIds: [...new Set(formerParcelIds.map(foldFormerId))],
  }
}

/** Polygons read last are kept, because neighbours are compared one after the other. */
const KEPT_LOTS = 5000

export function openLots(): (side: Side | undefined) => Lot | undefined {
  const kept = new Map<string, Lot | undefined>()
  return (side) => {
    const geometry = side?.geometry ?? null
    if (geometry === null) return undefined
    if (kept.has(geometry)) return kept.get(geometry)
    if (kept.size >= KEPT_LOTS) kept.clear()
    const lot = readLot(geometry)
    kept.set(geometry, lot)
    return lot
  }
}
