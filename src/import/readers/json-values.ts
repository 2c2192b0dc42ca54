/** Flattens the values of JSON objects into column texts. */

/** Adds each value under its name; nested objects get dotted names. */
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

/** Joins texts and numbers by semicolons; writes a list of objects as JSON. */
export function showList(list: readonly unknown[]): string {
  const holdsObjects = list.some((item) => typeof item === 'object' && item !== null)
  return holdsObjects ? JSON.stringify(list) : list.map((item) => item ?? '').join('; ')
}
