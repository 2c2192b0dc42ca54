/** Whether maps can be drawn. */

/**
 * Told after the first paint: making a context takes a good part of a second where WebGL is drawn
 * by software, and the page would be white meanwhile.
 */
export async function hasWebGl() {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const gl = document.createElement('canvas').getContext('webgl2')
  // Browsers keep few contexts at once, and the map makes its own.
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return gl !== null
}
