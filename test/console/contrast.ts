/**
 * For a page: lists texts with less contrast to what is behind them than WCAG's AA asks. It takes a
 * tenth of the time of axe's rule, and reads single characters and what is out of view too. It sees
 * no pictures, and nothing that overlaps without being an ancestor: `test:long` runs axe's as well.
 */
export const LOW_CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const known = new Map()
  const read = (colour) => known.get(colour) ?? known.set(colour, paint(colour)).get(colour)
  function paint(colour) {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((of, at) => of * alpha + below[at] * (1 - alpha))
  const { colorScheme } = getComputedStyle(document.documentElement)
  const isDark = colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches
  function behind(element) {
    if (element === null) return isDark ? [18, 18, 18] : [255, 255, 255]
    const own = read(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, behind(element.parentElement))
  }
  const linear = (of) => of <= 10.3 ? of / 3294.6 : ((of / 255 + 0.055) / 1.055) ** 2.4
  const luminance = (colour) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, part, at) => sum + part * linear(colour[at]), 0.05)
  function isLow(element) {
    if (element.closest(':disabled, [aria-disabled=true], script, style')) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const ground = behind(element)
    const both = [luminance(over(read(color), ground)), luminance(ground)]
    const size = parseFloat(fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && fontWeight >= 700)
    return Math.max(...both) / Math.min(...both) < (isLarge ? 3 : 4.5)
  }
  const elements = new Set(document.querySelectorAll('input, textarea'))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { data, parentElement } = texts.currentNode
    if (data.trim() !== '') elements.add(parentElement.closest('select') ?? parentElement)
  }
  return [...elements].filter(isLow).map(({ outerHTML }) => outerHTML.slice(0, 200))
})()`
