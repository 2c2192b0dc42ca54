/** Calendar days as numbers: days since 1970-01-01. */

export const DAY_MS = 86_400_000

/** Returns the day of `YYYY-MM-DD`; `undefined` for another text and for a day of no calendar. */
export function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) return undefined
  return at / DAY_MS
}
