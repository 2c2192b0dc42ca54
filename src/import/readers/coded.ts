/** Code tables in a file: each column of codes is accompanied by a column of texts. */

/** Prefix of the columns that hold the texts of a code table, the same as in ArcGIS exports. */
export const TEXT_PREFIX = 'd_'

export type CodedColumn = { name: string; codes: ReadonlyMap<string, string> }

/** A column as an Esri layer or answer describes it. */
export type EsriField = {
  name: string
  /** Display name; empty when the layer has none. */
  alias: string
  /** Texts of a coded-value domain by code; empty without a domain. */
  codes: ReadonlyMap<string, string>
}

/** Parses an Esri list of fields. Returns an empty list for anything else. */
export function readEsriFields(fields: unknown): EsriField[] {
  if (!Array.isArray(fields)) return []
  return fields.flatMap((field: Told | null) => {
    if (typeof field?.name !== 'string') return []
    const { name, alias, domain } = field
    const listed = Array.isArray(domain?.codedValues) ? domain.codedValues : []
    const codes = listed.flatMap((one: { code?: unknown; name?: unknown } | null) =>
      one?.name === undefined ? [] : [[String(one.code), String(one.name)] as const],
    )
    return [{ name, alias: typeof alias === 'string' ? alias : '', codes: new Map(codes) }]
  })
}

type Told = { name?: unknown; alias?: unknown; domain?: { codedValues?: unknown } }

/** Finds the fields of an Esri answer or layer, which come before the features. */
export function findEsriFields(head: string): EsriField[] {
  const start = /"fields"\s*:\s*\[/.exec(head)
  if (start === null) return []
  const from = start.index + start[0].length - 1
  let depth = 0
  for (const { 0: mark, index } of head.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[[\]]/gs)) {
    depth += mark === '[' ? 1 : mark === ']' ? -1 : 0
    if (depth > 0) continue
    try {
      return readEsriFields(JSON.parse(head.slice(from, from + index + 1)))
    } catch {
      return []
    }
  }
  return []
}
