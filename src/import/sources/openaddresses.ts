/**
 * Turns a document of OpenAddresses into sources and partial mappings: the parcel layers and
 * columns in its `conform`. Source: openaddresses, CONTRIBUTING.md, "Conform".
 */
import { CommandError } from '../../base/errors.ts'
import { findState } from '../../regions/states.ts'
import type { MappingDocument, Value } from '../mapping/mapping.ts'
import { explainPattern } from '../mapping/pattern-check.ts'
import type { Source } from './catalogue.ts'

type Json = { [key: string]: unknown }

type OpenAddressesSource = {
  source: Source
  /** `null`: a mapping cannot read its parcel number; `notes` say why. */
  mapping: MappingDocument | null
  /** What was left out, one sentence each. */
  notes: string[]
}

/** Our fields by the attributes of `conform`. */
const FIELDS: Record<string, string> = {
  pid: 'parcelId',
  number: 'streetNumber',
  street: 'streetName',
  unit: 'unitNumberStripped',
  city: 'city',
  postcode: 'zipCode',
}

/** Attributes of `conform` that describe the file's format, not a column's meaning. */
const FORM = new Set(['format', 'file', 'layer', 'encoding', 'csvsplit', 'srs', 'type', 'headers'])

/**
 * Reads a document's parcel layers. `name`: the file's, for the ids. Throws `CommandError` for a
 * document of another kind, without a parcel layer, or not in a US state.
 */
export function readOpenAddresses(text: string, name: string): OpenAddressesSource[] {
  const document = objectOf(parse(text, name))
  const layers = objectOf(document.layers).parcels
  if (!Array.isArray(layers) || layers.length === 0) {
    throw new CommandError(`${name} has no parcel layers: layers.parcels is what is read`)
  }
  const coverage = objectOf(document.coverage)
  const state = findState(String(coverage.state ?? ''))?.code
  if (state === undefined || String(coverage.country ?? 'us').toLowerCase() !== 'us') {
    throw new CommandError(`${name}: coverage.state is not a US state`)
  }
  const geoid = String(objectOf(coverage['US Census']).geoid ?? '')
  const county = /^\d{5}$/.test(geoid) ? geoid : undefined
  const place = textOf(coverage.county) ?? textOf(coverage.city) ?? textOf(coverage.town) ?? name
  return layers.map((layer) => {
    const about = objectOf(layer)
    const suffix = layers.length === 1 ? '' : `:${String(about.name ?? 'parcels')}`
    const id = `oa:us/${state.toLowerCase()}/${name}${suffix}`.replace(/[^\w:./-]/g, '_')
    return readLayer(about, { id, state, county, place })
  })
}

type About = { id: string; state: string; county: string | undefined; place: string }

function readLayer(layer: Json, about: About): OpenAddressesSource {
  const { id, state, county, place } = about
  const conform = objectOf(layer.conform)
  const notes: string[] = []
  const data = String(layer.data ?? '')
  const isWeb = /^https?:\/\//.test(data)
  if (!isWeb) notes.push(`its address is not on the web: ${data.slice(0, 200)}`)
  const inside = textOf(conform.file)
  const title = `${place} parcels`
  const license = readLicense(layer.license)
  const fields = readFields(conform, notes)
  const mapping = fields.parcelId === undefined ? null : makeMapping(fields, about, title, data)
  if (mapping === null)
    notes.push('it names no column of the parcel number that a mapping can read')
  const source: Source = {
    id,
    state,
    counties: county === undefined ? [] : [county],
    title,
    url: isWeb ? `${data}${inside === undefined ? '' : `!${inside}`}` : null,
    form: [layer.protocol, conform.format].filter((word) => typeof word === 'string').join(' '),
    mapping: null,
    ...(typeof conform.pid === 'string' && { parcelIdColumn: conform.pid }),
    ...(license !== undefined && { license }),
    source: 'OpenAddresses source document',
    tried: false,
  }
  return { source, mapping, notes }
}

function makeMapping(
  fields: Record<string, Value>,
  { id, state, county }: About,
  title: string,
  url: string,
): MappingDocument {
  return {
    name: id.replace(/[^\w-]+/g, '-'),
    title,
    about:
      'Partial: made from an OpenAddresses source document, which knows no owners and no ' +
      'values. platbook inspect drafts the rest.',
    state,
    ...(county !== undefined && { county }),
    source: { name: 'OpenAddresses', license: 'see the publisher', url },
    tried: false,
    nameOrder: 'mixed',
    fields,
    extra: 'unmapped',
  }
}

function readFields(conform: Json, notes: string[]): Record<string, Value> {
  const fields: Record<string, Value> = {}
  for (const [name, given] of Object.entries(conform)) {
    if (FORM.has(name)) continue
    const field = FIELDS[name]
    const value = field === undefined ? undefined : readValue(given)
    if (field !== undefined && value !== undefined) fields[field] = value
    else notes.push(`${name} is left out: ${JSON.stringify(given).slice(0, 120)}`)
  }
  return fields
}

/** Converts a value of `conform`; `undefined` for a function that mappings do not have. */
export function readValue(given: unknown): Value | undefined {
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.every(isText) ? { join: given, with: ' ' } : undefined
  const rule = objectOf(given)
  const field = textOf(rule.field)
  const fields = Array.isArray(rule.fields) && rule.fields.every(isText) ? rule.fields : undefined
  switch (rule.function) {
    case 'join':
      return fields && { join: fields, with: String(rule.separator ?? ' ') }
    case 'first_non_empty':
      return fields && { first: fields }
    case 'constant':
      return isText(rule.value) ? { constant: rule.value } : undefined
    case 'format':
      return fields && typeof rule.format === 'string' ? readFormat(rule.format, fields) : undefined
    case 'regexp':
      return field === undefined ? undefined : readPattern(field, rule)
    case 'prefixed_number':
      return field && { column: field, cut: '^\\s*([0-9]+(?:-[0-9]+)?[A-Z]?)(?=\\s)' }
    case 'postfixed_street':
      return field && { column: field, cut: '^\\s*[0-9]\\S*\\s+(.+)$' }
    default:
      return undefined
  }
}

/** Converts `$1-$2` to the fields joined by the text between them. */
function readFormat(format: string, fields: string[]): Value | undefined {
  const parts = format.split(/(\$\d+)/).filter((part) => part !== '')
  const values = parts.map((part): Value | undefined =>
    /^\$\d+$/.test(part) ? fields[Number(part.slice(1)) - 1] : { constant: part },
  )
  if (!values.every((value) => value !== undefined)) return undefined
  return { join: values as Value[], with: '', all: true }
}

/** Converts a pattern: to `cut` without `replace` or with the first group, else to `replace`. */
function readPattern(field: string, { pattern, replace }: Json): Value | undefined {
  if (typeof pattern !== 'string') return undefined
  if (explainPattern(pattern) !== undefined) return undefined
  if (replace === undefined || replace === '$1') return { column: field, cut: pattern }
  if (typeof replace !== 'string') return undefined
  return { column: field, replace: [{ pattern, with: replace }] }
}

function readLicense(license: unknown): string | undefined {
  const { text, url } = objectOf(license)
  return textOf(license) ?? textOf(text) ?? textOf(url)
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${(error as Error).message}`, 1, error)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
