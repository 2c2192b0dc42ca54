/** Prints the map as it is seen, with its legend and its scale. */

/** @param {any} map @param {HTMLElement} place */
export function openPrinting(map, place) {
  const sheet = document.querySelector('#sheet')
  const [picture, scale, caption] = ['img', '.scale', 'figcaption'].map((one) =>
    sheet?.querySelector(one),
  )
  document.querySelector('#print')?.addEventListener('click', async () => {
    if (!(picture instanceof HTMLImageElement) || !(scale instanceof HTMLElement)) return
    // What is drawn is only there while it is being drawn.
    map.triggerRepaint()
    await new Promise((resolve) => map.once('render', resolve))
    picture.src = map.getCanvas().toDataURL()
    await picture.decode()
    const bar = place.querySelector('.maplibregl-ctrl-scale')
    if (bar instanceof HTMLElement) {
      scale.textContent = bar.textContent
      scale.style.width = `${(100 * bar.offsetWidth) / place.clientWidth}%`
    }
    const { lng, lat } = map.getCenter()
    const now = new Date().toLocaleDateString('en-US', { dateStyle: 'long' })
    if (caption)
      caption.textContent = `Parcels around ${lat.toFixed(4)}, ${lng.toFixed(4)}. ${now}.`
    print()
  })
}
