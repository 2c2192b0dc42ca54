/** Whether maps can be drawn. */
export function hasWebGl() {
  const gl = document.createElement('canvas').getContext('webgl2')
  // Browsers keep few contexts at once, and the map makes its own.
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return gl !== null
}
