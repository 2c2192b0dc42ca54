/** Outlines of counties and states from TopoJSON (us-atlas), as GeoJSON. */

/**
 * @typedef {{ type: string, arcs: any, id?: string, properties?: object }} Shape
 * @typedef {{ arcs: number[][][], transform: { scale: number[], translate: number[] },
 *   objects: Record<string, { geometries: Shape[] }> }} Topology
 */

/**
 * Features of one of its objects, such as `counties`; ids are FIPS codes.
 * @param {Topology} topology
 * @param {string} name
 */
export function readOutlines(topology, name) {
  const arcs = topology.arcs.map((arc) => unpack(arc, topology.transform))
  const line = (/** @type {number} */ at) => (at < 0 ? [...arcs[~at]].reverse() : arcs[at])
  const ring = (/** @type {number[]} */ list) =>
    list.flatMap((at, place) => (place === 0 ? line(at) : line(at).slice(1)))
  const polygon = (/** @type {number[][]} */ rings) => rings.map(ring)
  return (topology.objects[name]?.geometries ?? [])
    .filter(({ type }) => type === 'Polygon' || type === 'MultiPolygon')
    .map(({ type, arcs: own, id = '', properties = {} }) => ({
      type: 'Feature',
      properties: { ...properties, fips: id },
      geometry: {
        type,
        coordinates: type === 'Polygon' ? polygon(own) : own.map(polygon),
      },
    }))
}

/**
 * Arcs are differences of whole numbers.
 * @param {number[][]} arc
 * @param {Topology['transform']} transform
 */
function unpack(arc, { scale, translate }) {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}
