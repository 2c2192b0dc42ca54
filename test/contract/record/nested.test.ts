/** The nested layout (v3), whole: docs/api.md, docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listShown } from '../../../src/record/layout.ts'
import { startService } from '../../service.ts'
import { FULL, NESTED, RECORDS } from './roll.ts'

const service = await startService(RECORDS)
after(() => service.close())

const find = async (parcelId: string) => {
  const query = { state: 'WI', county: 'Dane', parcelId }
  return (await service.get('/public/property/parcelId/', query)).body.property
}

test('a parcel with every column has these keys and values and all documented fields', async () => {
  const { id, ...shown } = await find(FULL.parcelId)
  const { id: _, ...expected } = NESTED
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.partialDeepStrictEqual(shown, expected)
  assert.deepEqual(pathsOf(shown), LISTED)
})

const LISTED = listShown('nested')
  .map(({ path }) => path.join('.'))
  .filter((path) => path !== 'id')
  .sort()

/** Paths of all values; lists, and objects of which only some keys are known, are values. */
function pathsOf(group: object, path: string[] = []): string[] {
  return Object.entries(group)
    .flatMap(([key, value]) => {
      const here = [...path, key]
      const isGroup = value !== null && typeof value === 'object' && !Array.isArray(value)
      return isGroup && key !== 'extra' ? pathsOf(value, here) : [here.join('.')]
    })
    .sort()
}

test('a parcel without data has the same keys with null and empty lists', async () => {
  const { id: _, ...shown } = await find('BARE')
  const { id: __, ...expected } = bare(NESTED)
  assert.deepEqual(pathsOf(shown), LISTED)
  assert.doesNotMatch(JSON.stringify(shown), /\[[^\]]/, 'all lists are empty')
  assert.partialDeepStrictEqual(shown, {
    ...expected,
    propertyIdentification: {
      ...expected.propertyIdentification,
      propertyId: '55025-BARE',
      parcelId: 'BARE',
      parcelIdNormalized: 'BARE',
      state: 'WI',
      county: 'DANE',
      fipsState: '55',
      fipsCounty: '025',
    },
    propertyLocation: { ...expected.propertyLocation, addressAssigned: false },
    source: { ...expected.source, ...SOURCE },
    extra: {},
  })
})

/** Who said so and when is known of every record. */
const SOURCE = { loadedAt: NESTED.source.loadedAt }

/** The same shape with nothing known. */
function bare<Shape>(shape: Shape): Shape {
  if (Array.isArray(shape)) return [] as Shape
  if (typeof shape !== 'object' || shape === null) return null as Shape
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, bare(value)]),
  ) as Shape
}
