/** Formats the id of a record as answers show it: 24 hex digits. */
export function showId(id: number): string {
  return id.toString(16).padStart(24, '0')
}
