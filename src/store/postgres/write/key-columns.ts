/** Keys of a parcel that are too long for an index. */

/**
 * Longer keys are not indexed: an index entry holds 2,700 bytes, and no name or street is nearly
 * that long.
 */
const KEY_MAX = 600

/** Drops the keys of a parcel that are too long for an index. */
export function dropEndlessKeys(keys: string): string {
  if (keys.length <= KEY_MAX) return keys
  const lists = Object.entries(JSON.parse(keys) as Record<string, unknown[]>)
  const kept = lists.map(([list, items]) => [list, items.filter((item) => !hasEndless(list, item))])
  return JSON.stringify(Object.fromEntries(kept))
}

function hasEndless(list: string, item: unknown): boolean {
  const texts = Array.isArray(item) ? item : [item]
  // The text after a surname is not a key, so `rest` may be of any length.
  return (list === 'h' ? texts.slice(0, 3) : texts).some(isEndless)
}

export function isEndless(key: unknown): boolean {
  return typeof key === 'string' && key.length > KEY_MAX
}
