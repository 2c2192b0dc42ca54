/** The names a person may have meant: for "did you mean" in errors. */

/** At most three of `names` that differ from `asked` by few letters, nearest first. */
export function nearest(asked: string, names: readonly string[]): string[] {
  const wanted = asked.toLowerCase()
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .map((name) => ({ name, far: distance(wanted, name.toLowerCase()) }))
    .filter(
      ({ name, far }) => far <= limit || (wanted.length > 2 && name.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => a.far - b.far || a.name.localeCompare(b.name, 'en'))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Edits from one text to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
