/** Suggests names similar to a mistyped one. */

/**
 * Returns the names most similar to a mistyped one, best first, at most three. Ignores case,
 * hyphens and underscores. A name that begins with the text, or contains it, is similar.
 *
 * @example nearest('subscripton', ['suspended', 'subscription']) // ['subscription']
 */
export function nearest(typed: string, names: readonly string[]): string[] {
  const asked = fold(typed)
  return names
    .flatMap((name) => {
      const folded = fold(name)
      const most = folded.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 3))
      // Each letter too many is an edit. A long text would take seconds.
      if (asked.length > folded.length + most) return []
      const distance = distanceOf(asked, folded)
      return distance <= most ? [{ name, distance }] : []
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** `; did you mean a or b?`, or the empty string. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const found = nearest(typed, names)
  return found.length === 0 ? '' : `; did you mean ${found.join(' or ')}?`
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, '')
}

function distanceOf(asked: string, name: string): number {
  if (asked.length < 3 || !name.includes(asked)) return editDistance(asked, name)
  return name.startsWith(asked) ? 0.5 : 1
}

/** Counts insertions, deletions, substitutions, and neighbours that changed places. */
function editDistance(a: string, b: string): number {
  let older: number[] = []
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      const replaced = (before[column - 1] ?? 0) + same
      const shorter = Math.min(before[column] ?? 0, current[column - 1] ?? 0) + 1
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? (older[column - 2] ?? 0) + 1 : shorter
      current.push(Math.min(replaced, shorter, swapped))
    }
    older = before
    before = current
  }
  return before[b.length] ?? 0
}
