/** Outlines of counties and states from TopoJSON (us-atlas), as GeoJSON. */

/**
 * @typedef {{ type: string, arcs: any, id?: string, properties?: object }} Shape
 * @typedef {{ arcs: number[][][], transform: { scale: number[], translate: number[] },
 *   objects: Record<string, { geometries: Shape[] }> }} Topology
 */

/**
 * Returns a reader of the features of one of its objects, such as `counties`, whose ids, FIPS
 * codes, are wanted. An arc is unpacked when it is first needed: there are ten thousand.
 * @param {Topology} topology
 */
export function openOutlines(topology) {
  /** @type {number[][][]} */
  const arcs = []
  const arc = (/** @type {number} */ at) =>
    (arcs[at] ??= unpack(topology.arcs[at], topology.transform))
  const line = (/** @type {number} */ at) => (at < 0 ? [...arc(~at)].reverse() : arc(at))
  const ring = (/** @type {number[]} */ list) =>
    list.flatMap((at, place) => (place === 0 ? line(at) : line(at).slice(1)))
  const polygon = (/** @type {number[][]} */ rings) => rings.map(ring)
  return (/** @type {string} */ name, isWanted = (/** @type {string} */ _id) => true) =>
    (topology.objects[name]?.geometries ?? [])
      .filter(({ type, id = '' }) => /^(?:Multi)?Polygon$/.test(type) && isWanted(id))
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
