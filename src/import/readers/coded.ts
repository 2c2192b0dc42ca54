/** Code tables that a file carries: a column of texts stands beside each column of codes. */

/**
 * Before the name of a column that holds the texts of a code table, as ArcGIS itself names it in
 * its exports.
 */
export const TEXT_PREFIX = 'd_'

export type CodedColumn = { name: string; codes: ReadonlyMap<string, string> }

/**
 * The code tables among the fields that an Esri answer lists: `domain.codedValues`. Anything else
 * counts as none.
 */
function readDomains(fields: unknown): CodedColumn[] {
  if (!Array.isArray(fields)) return []
  return fields.flatMap((field: { name?: unknown; domain?: { codedValues?: unknown } } | null) => {
    const listed = field?.domain?.codedValues
    if (typeof field?.name !== 'string' || !Array.isArray(listed)) return []
    const codes = listed.flatMap((one: { code?: unknown; name?: unknown } | null) =>
      one?.name === undefined ? [] : [[String(one.code), String(one.name)] as const],
    )
    return codes.length === 0 ? [] : [{ name: field.name, codes: new Map(codes) }]
  })
}

/** The code tables of an Esri answer, which lists its fields before the features. */
export function findDomains(head: string): CodedColumn[] {
  const start = /"fields"\s*:\s*\[/.exec(head)
  if (start === null) return []
  const from = start.index + start[0].length - 1
  let depth = 0
  for (const { 0: mark, index } of head.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[[\]]/gs)) {
    depth += mark === '[' ? 1 : mark === ']' ? -1 : 0
    if (depth > 0) continue
    try {
      return readDomains(JSON.parse(head.slice(from, from + index + 1)))
    } catch {
      return []
    }
  }
  return []
}
