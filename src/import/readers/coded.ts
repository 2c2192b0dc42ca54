/** Code tables that a file carries: a column of texts stands beside each column of codes. */

/**
 * Before the name of a column that holds the texts of a code table, as ArcGIS itself names it in
 * its exports.
 */
export const TEXT_PREFIX = 'd_'

export type CodedColumn = { name: string; codes: ReadonlyMap<string, string> }

/** A column as an Esri layer or answer describes it. */
export type EsriField = {
  name: string
  /** What people call it; empty where the layer does not tell. */
  alias: string
  /** Texts of a coded-value domain, by their codes; empty without one. */
  codes: ReadonlyMap<string, string>
}

/** The fields of an Esri list of fields. Anything else counts as none. */
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

/** The fields of an Esri answer or layer, which lists them before the features. */
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

/** The code tables of an Esri answer. */
export function findDomains(head: string): CodedColumn[] {
  return findEsriFields(head).filter(({ codes }) => codes.size > 0)
}
