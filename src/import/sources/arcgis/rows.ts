/** Turns the features of an ArcGIS answer into lines of NDJSON. */
import { projection } from '../../geo/projection.ts'
import { type CodedColumn, TEXT_PREFIX } from '../../readers/coded.ts'
import { type Layer, listOf, objectOf } from './layer.ts'
import type { Json } from './query.ts'

/** A row to be written to disk. `id`: its object id; `undefined` when the layer has none. */
export type Row = {
  id: number | undefined
  line: string
  /** Stands for a row that could not be downloaded. */
  lost?: boolean
}

/** Turns one answer into rows. `native`: shapes are in the layer's own projection. */
export function makeRowReader(layer: Layer, native: boolean): (answer: Json) => Row[] {
  const coded = layer.fields.flatMap(({ name, codes }) =>
    codes.size === 0 ? [] : [{ name, codes }],
  )
  const project = native && layer.wkid !== undefined ? projection(layer.wkid) : undefined
  const idOf = makeIdReader(layer)
  return (answer) =>
    listOf(answer.features).map((feature) => {
      const attributes = objectOf(feature.attributes)
      const full = describeCodes(attributes, coded)
      const shape = feature.geometry ?? feature.centroid ?? null
      const geometry = project === undefined ? shape : moveShape(shape, project)
      // A layer of polygons also says which rows have none.
      const isShown = geometry !== null || layer.geometry === 'polygon'
      const row = { attributes: full, ...(isShown && { geometry }) }
      return { id: idOf(attributes), line: JSON.stringify(row) }
    })
}

export function makeLineReader(layer: Layer): (line: string) => Row {
  const idOf = makeIdReader(layer)
  return (line) => ({ id: idOf(objectOf((JSON.parse(line) as Json).attributes)), line })
}

function makeIdReader({ idField }: Layer): (attributes: Json) => number | undefined {
  let name: string | undefined
  return (attributes) => {
    if (name === undefined || !(name in attributes)) name = findIdName(idField, attributes)
    const id = name === undefined ? Number.NaN : Number(attributes[name] ?? Number.NaN)
    return Number.isSafeInteger(id) ? id : undefined
  }
}

/** Finds the id field as rows spell it: a joined `GIS.PARCELS.OBJECTID` may be `OBJECTID`. */
function findIdName(idField: string | undefined, attributes: Json): string | undefined {
  if (idField === undefined) return undefined
  if (idField in attributes) return idField
  const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return Object.keys(attributes).find((name) => lastOf(name) === lastOf(idField))
}

function describeCodes(attributes: Json, coded: CodedColumn[]): Json {
  if (coded.length === 0) return attributes
  const full = { ...attributes }
  for (const { name, codes } of coded) {
    const value = attributes[name]
    const text = value === null || value === undefined ? undefined : codes.get(String(value))
    // The column is always present, so a mapping may name it.
    full[TEXT_PREFIX + name] = text ?? null
  }
  return full
}

type Move = (x: number, y: number) => [number, number] | null

function moveShape(shape: unknown, project: Move): Json | null {
  const { x, y, rings } = objectOf(shape)
  if (typeof x === 'number' && typeof y === 'number') {
    const point = project(x, y)
    return point === null ? null : { x: point[0], y: point[1] }
  }
  if (!Array.isArray(rings)) return null
  const moved = (rings as number[][][]).map((ring) =>
    ring.flatMap(([x = 0, y = 0]) => {
      const point = project(x, y)
      return point === null ? [] : [point]
    }),
  )
  return { rings: moved }
}
