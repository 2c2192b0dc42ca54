/** Runs the page's scripts after its first paint, which would wait until they are compiled. */

const own = document.querySelector('script[data-scripts]')
const names = own?.getAttribute('data-scripts')?.split(' ') ?? []

// A page in the background is not painted.
if (!document.hidden) {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, 300)
  })
}
for (const name of names) import(`./${name}`)
