/** Names the parcel under the pointer: address, owner and value. */

import { PARCEL_LAYERS } from './map-layers.js'

/** @param {any} map @param {HTMLElement} place */
export function nameHovered(map, place) {
  const label = document.querySelector('#hover')
  if (!(label instanceof HTMLElement) || !matchMedia('(hover: hover)').matches) return
  /** @type {any} */
  let point
  let asked = 0
  // Pointers move more often than a screen draws.
  map.on('mousemove', (/** @type {any} */ event) => {
    point = event.point
    if (asked === 0) asked = requestAnimationFrame(show)
  })
  const show = () => {
    asked = 0
    const [feature] = map.queryRenderedFeatures(point, { layers: PARCEL_LAYERS })
    label.hidden = feature === undefined
    if (feature === undefined) return
    const { propertyId, address, value } = feature.properties
    const name = document.createElement('b')
    name.textContent = address || propertyId
    const price = value == null ? 'no value' : `$${Number(value).toLocaleString('en-US')}`
    const lines = [name, feature.state.owner, price].filter((line) => line)
    label.replaceChildren(
      ...lines.flatMap((line, at) => (at === 0 ? [line] : [document.createElement('br'), line])),
    )
    // To the left of the pointer at the right edge, and above it at the bottom.
    const { clientWidth, clientHeight } = place
    const left = point.x + 14 + label.offsetWidth > clientWidth ? -14 - label.offsetWidth : 14
    const top = point.y + 14 + label.offsetHeight > clientHeight ? -14 - label.offsetHeight : 14
    label.style.transform = `translate(${point.x + left}px, ${point.y + top}px)`
  }
  const hide = () => {
    cancelAnimationFrame(asked)
    asked = 0
    label.hidden = true
  }
  map.on('mouseout', hide)
  map.on('movestart', hide)
}
