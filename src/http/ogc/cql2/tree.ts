/** A filter in the form of CQL2 JSON. Source: OGC 21-065r2. */
export type Cql2 =
  | string
  | number
  | boolean
  | Cql2[]
  | { op: string; args: Cql2[] }
  | { property: string }
  | { date: string }
  | { timestamp: string }
  | { bbox: number[] }
  | { type: string; coordinates: unknown }
  | { type: 'GeometryCollection'; geometries: Cql2[] }
