/** `GET /public/property/abutters/`: the parcels next to one, and labels for their owners. */
import { refuse } from '../../base/errors.ts'
import { boxInUnits } from '../../base/model/geometry.ts'
import { boundsOf, measureMeters, readShape, type Shape } from '../../geo/shape.ts'
import { metersPerDegree, splitAtAntimeridian } from '../../geo/sphere.ts'
import { answerOf } from '../../record/json-schema.ts'
import { renderParcel } from '../../render/render.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { findSubject, needSubject, SUBJECT } from '../find/subject.ts'
import { defineOperation, type Pause, showList } from '../operation.ts'
import { FIELDS, param } from '../shared-parameters.ts'
import { listSchema, readHits, roundTo } from './place-parameters.ts'

const FEET_PER_METER = 1 / 0.3048

/** Drawn distance up to which neighbours count as touching. */
const TOUCHING_FEET = 1

/** Most parcels whose bounds are near, and most parcels answered. */
const NEAR_MAX = 5000
const SHOWN_MAX = 1000

/** Polygons measured per turn of the event loop. */
const CHUNK = 100

type Abutter = { parcel: StoredParcel; feet: number }

export const abutterSearch = defineOperation({
  operationId: 'abutterSearch',
  path: '/public/property/abutters/',
  parameters: {
    fields: FIELDS,
    ...SUBJECT,
    distance: {
      type: 'number',
      minimum: 0,
      maximum: 1000,
      default: 0,
    },
    format: param.choice(['records', 'labels'], 'records'),
  },
  tokenCost: 1,
  answers: { schema: { anyOf: [listSchema('abutterSearch'), answerOf('labels')] } },
  check(values) {
    const subject = needSubject(values, 'state')
    return { subject, distance: values.distance, format: values.format }
  },
  find: ({ subject, distance, format }, context) =>
    context.queueSearch(async (pause) => {
      const { parcels, layout } = context
      const found = await findSubject(subject, parcels)
      if (found === undefined) throw refuse.notFound('Property not found')
      const shape = readShape(found.parcel.geometry ?? '{}')
      if (shape === undefined) throw refuse.notFound('The property has no polygon')
      const all = await findAbutters({ subject: found.parcel, shape }, distance, parcels, pause)
      if (format === 'labels') {
        const seen = all.map(({ parcel }) => parcel)
        return { body: JSON.stringify({ labels: makeLabels(seen) }), headers: {}, seen }
      }
      const shown = all.slice(0, SHOWN_MAX)
      return showList(
        shown.map(({ parcel }) => parcel),
        layout,
        {
          count: shown.length,
          total: all.length,
          distanceFeet: distance,
          distancesFeet: shown.map(({ feet }) => roundTo(feet, 1)),
        },
      )
    }),
})

async function findAbutters(
  { subject, shape }: { subject: StoredParcel; shape: Shape },
  distanceFeet: number,
  parcels: ParcelReader,
  pause: Pause,
): Promise<Abutter[]> {
  const limitMeters = Math.max(distanceFeet, TOUCHING_FEET) / FEET_PER_METER
  const boxes = boxesAround(shape, limitMeters)
  const hits = await Promise.all(boxes.map((box) => parcels.shapesIn(box, NEAR_MAX)))
  const byId = new Map(hits.flat().map((hit) => [hit.id, hit]))
  const near = [...byId.values()].filter(({ id }) => id !== subject.id)
  const found: Abutter[] = []
  for (let at = 0; at < near.length; at += CHUNK) {
    for (const parcel of await readHits(parcels, near.slice(at, at + CHUNK))) {
      const other = readShape(parcel.geometry ?? '{}')
      const meters = other && measureMeters(shape, other, limitMeters)
      if (meters !== undefined) found.push({ parcel, feet: meters * FEET_PER_METER })
    }
    await pause()
  }
  return found.sort((a, b) => a.feet - b.feet || a.parcel.id - b.parcel.id)
}

/** One box a hemisphere, because a property at 180 degrees has a polygon on each side. */
function boxesAround(shape: Shape, meters: number) {
  const sides = Map.groupBy(shape, ([outer]) => (outer?.[0]?.[0] ?? 0) < 0)
  return [...sides.values()].flatMap((side) => {
    const { west, south, east, north } = boundsOf(side) ?? { west: 0, south: 0, east: 0, north: 0 }
    const perDegree = metersPerDegree(Math.max(Math.abs(south), Math.abs(north)))
    // One percent more, because degrees of latitude differ in length.
    const [x, y] = [(1.01 * meters) / perDegree.x, (1.01 * meters) / perDegree.y]
    const wider = { west: west - x, south: south - y, east: east + x, north: north + y }
    return splitAtAntimeridian(wider).map(boxInUnits)
  })
}

const TEXTS = ['ownerName', 'careOf', 'ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode']

type Label = Record<string, string | null | string[]> & { propertyIds: string[] }

/**
 * One label per owner and mailing address, with all its parcels' ids and the first care-of; none
 * without both. Owners differ by name, blanks and case aside. Throws for a damaged record.
 */
function makeLabels(parcels: readonly StoredParcel[]): Label[] {
  const labels = new Map<string, Label>()
  for (const parcel of parcels) {
    const record = JSON.parse(renderParcel(parcel, 'flat')) as Record<string, string | null>
    record.careOf = record.ownerCareOf ?? null
    const texts = TEXTS.map((name) => [name, record[name] ?? null] as const)
    const known = texts.filter(([name, text]) => name !== 'careOf' && text !== null)
    if (known.length === 0) continue
    const key = JSON.stringify(known).toUpperCase().replace(/\s+/g, ' ')
    const label = labels.get(key) ?? { ...Object.fromEntries(texts), propertyIds: [] }
    label.careOf ??= record.careOf
    label.propertyIds.push(String(record.propertyId))
    labels.set(key, label)
  }
  return [...labels.values()]
}
