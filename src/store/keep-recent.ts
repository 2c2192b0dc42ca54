/** A map that keeps the entries used last. */

/** Adds an entry, or makes it the newest; beyond `most` entries the oldest go. */
export function keepRecent<Key, Kept>(
  kept: Map<Key, Kept>,
  key: Key,
  value: Kept,
  most: number,
): Kept {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  return value
}
