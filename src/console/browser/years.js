/** The slider that shows the map as the rolls of an earlier year had it. */

/** Sources with single parcels, and their paths at the console. */
const SOURCES = [
  ['tiles', 'tiles'],
  ['lone', 'points'],
]

const slider = document.querySelector('#years input')

/** The query that names the chosen year; empty for the present. */
export function yearQuery() {
  if (!(slider instanceof HTMLInputElement) || slider.value === slider.max) return ''
  return `year=${yearAt(slider)}`
}

/** @param {HTMLInputElement} input */
function yearAt({ dataset, value }) {
  return (dataset.years ?? '').split(' ')[Number(value)] ?? ''
}

/**
 * Draws the chosen year, again whenever it changes, and keeps it in the address bar.
 * @param {any} map @param {() => void} recolour
 */
export function openYears(map, recolour) {
  if (!(slider instanceof HTMLInputElement)) return
  const output = document.querySelector('#years output')
  const show = () => {
    const query = yearQuery()
    if (output !== null) output.textContent = yearAt(slider)
    slider.setAttribute('aria-valuetext', yearAt(slider))
    const address = new URL(location.href)
    address.search = query
    history.replaceState(history.state, '', address)
    for (const [name, path] of SOURCES) {
      const address = `${location.origin}/${path}/{z}/{x}/{y}${query && `?${query}`}`
      map.getSource(name).setTiles([address])
    }
    for (const sourceLayer of ['parcels', 'labels']) {
      map.removeFeatureState({ source: 'tiles', sourceLayer })
    }
    map.removeFeatureState({ source: 'lone', sourceLayer: 'labels' })
    recolour()
  }
  slider.addEventListener('input', show)
  if (yearQuery() !== '') show()
}
