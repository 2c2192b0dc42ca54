/** Values of JSON objects become texts of columns. */

/** Adds each value under its name; objects within objects have a dot in their names. */
export function flatten(
  object: Record<string, unknown>,
  prefix: string,
  values: Map<string, string>,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (value === null || value === undefined) values.set(prefix + name, '')
    else if (Array.isArray(value)) values.set(prefix + name, showList(value))
    else if (typeof value === 'object')
      flatten(value as Record<string, unknown>, `${prefix}${name}.`, values)
    else values.set(prefix + name, String(value))
  }
}

/** Texts and numbers by semicolons; a list of objects as its JSON. */
export function showList(list: readonly unknown[]): string {
  const holdsObjects = list.some((item) => typeof item === 'object' && item !== null)
  return holdsObjects ? JSON.stringify(list) : list.map((item) => item ?? '').join('; ')
}
