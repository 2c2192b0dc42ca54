/** Short helpers to read an answer in the nested layout. */
import assert from 'node:assert/strict'
import type { Answer } from '../service.ts'

type Shown = { id: string; propertyIdentification: { parcelId: string } }

/** Parcel IDs of a list answer, in its order; none of a 404. */
export function parcelIds({ status, body }: Answer): string[] {
  if (status === 404) return []
  assert.equal(status, 200, JSON.stringify(body))
  return body.properties.map((property: Shown) => property.propertyIdentification.parcelId)
}

/** Record IDs of a list answer, in its order. */
export function recordIds({ status, body }: Answer): string[] {
  assert.equal(status, 200, JSON.stringify(body))
  return body.properties.map((property: Shown) => property.id)
}

/** Parcel ID of a single answer; the status when there is none. */
export function parcelId({ status, body }: Answer): string | number {
  return status === 200 ? body.property.propertyIdentification.parcelId : status
}

export function assertAscending(ids: string[]): void {
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(new Set(ids).size, ids.length)
}
