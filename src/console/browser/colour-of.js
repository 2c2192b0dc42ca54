/** Colours of the style sheet for a canvas, which does not know `light-dark()`. */

/** @param {string} name such as `--line` */
export function colourOf(name) {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
