/** Shortens answers for a model, and says what was left out. */
import { readTable } from '../base/tables.ts'
import { listShown } from '../record/layout.ts'

type Json = Record<string, unknown>

/** Fields of a record in a list, in the names of `record/fields.ts`. */
const SHOWN: ReadonlySet<string> = new Set(readTable('mcp-fields.txt'))

/** Most characters of the records of one answer. */
const CHARACTERS_MAX = 6000
/** Characters of an answer besides its records. */
const ENVELOPE = 500
/** Properties of each node of a network that is too long. */
const NODE_PROPERTIES = 2

/** The path of each field: of several the one with its own name, otherwise the first. */
const pathsOf = (layout: 'flat' | 'nested') => {
  const paths = new Map<string, string[]>()
  for (const { name, path } of listShown(layout)) {
    if (SHOWN.has(name) && (!paths.has(name) || path.at(-1) === name)) paths.set(name, [...path])
  }
  return [...paths.values()]
}
const PATHS = { flat: pathsOf('flat'), nested: pathsOf('nested') }

/** An answer with a part of its records or nodes. `fields`: the caller chose those of records. */
export function compactAnswer(answer: Json, fields: boolean): Json {
  const { properties, nodes } = answer
  if (Array.isArray(properties) && properties.length > 0) {
    return { ...answer, ...(fields ? cutRecords(properties) : compactRecords(properties)) }
  }
  return Array.isArray(nodes) ? compactNetwork(answer, nodes) : answer
}

/** The records of a list with a few fields each. */
function compactRecords(properties: readonly Json[]): Json {
  const short = properties.map(compact)
  const long = lengthOf(short) > CHARACTERS_MAX
  const what = long ? 'its ID and address' : 'its main fields'
  return {
    properties: long ? short.map(identify) : short,
    leftOut: `Each record has only ${what}; name others in fields`,
  }
}

/** Records with the fields that the caller chose: the first ones, as many as fit. */
function cutRecords(properties: readonly Json[]): Json {
  if (lengthOf(properties) <= CHARACTERS_MAX - ENVELOPE) return {}
  const short = properties.map((one) => identify(compact(one)))
  let room = CHARACTERS_MAX - ENVELOPE - lengthOf(short)
  const whole = properties.findIndex((one, at) => {
    room -= lengthOf(one) - lengthOf(short[at])
    return room < 0
  })
  const cut = short.slice(whole)
  return {
    properties: [...properties.slice(0, whole), ...cut],
    leftOut:
      `Of the last ${cut.length} records only ID and address fit; ` +
      `name fewer fields, or ask for ${Math.max(1, whole)} at a time`,
  }
}

function compactNetwork(answer: Json, nodes: readonly Json[]): Json {
  if (lengthOf(answer) <= CHARACTERS_MAX) return answer
  const short = nodes.map((node) => ({
    ...node,
    properties: ((node.properties ?? []) as unknown[]).slice(0, NODE_PROPERTIES),
  }))
  // Nodes come in the order in which they were met, the nearest first.
  for (let count = short.length; ; count = Math.floor(count * 0.8)) {
    const kept = short.slice(0, count)
    const ids = new Set(kept.map((node: Json) => node.id))
    const edges = ((answer.edges ?? []) as Json[]).filter(
      ({ from, to }) => ids.has(from) && ids.has(to),
    )
    const left = nodes.length - count
    const others = left === 0 ? '' : ` and ${left} further nodes are left out; use depth 1`
    const leftOut = `All but ${NODE_PROPERTIES} properties of each node${others}`
    const shown = { ...answer, nodes: kept, edges, leftOut }
    if (count <= 1 || lengthOf(shown) <= CHARACTERS_MAX) return shown
  }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length
}

function compact(record: Json): Json {
  const isNested = 'id' in record
  const kept: Json = {}
  for (const path of PATHS[isNested ? 'nested' : 'flat']) {
    const value = path.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], record)
    if (value !== undefined && value !== null) kept[path.at(-1) as string] = value
  }
  const [newest] = isNested ? ((record.transfers ?? []) as Json[]) : []
  return {
    ...kept,
    ...(newest && { transferDate: newest.transferDate, transferPrice: newest.transferPrice }),
  }
}

function identify({ propertyId, addressFull }: Json): Json {
  return { propertyId, ...(addressFull !== undefined && { addressFull }) }
}
