/**
 * Writes the parts of files that follow from the record's fields: the names in
 * `mappings/schema.json`, the columns of the plain layout in `mappings/platbook.json` and
 * `docs/fields.tsv`. `docs/parameters.tsv` follows from the operations, `docs/settings.tsv` from
 * the settings and `docs/mapping-uses.tsv` from the mappings. Run it after a change of one: `npm
 * run fields`. A test fails if it was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  MAPPED_BUILDING,
  MAPPED_PARCEL,
  MAPPED_TRANSFER,
  MAPPING_NAMES,
} from '../src/import/mapping/fields.ts'
import { type MappingDocument, SCHEMA_PATH } from '../src/import/mapping/mapping.ts'
import { OPERATIONS } from '../src/operations/operations.ts'
import {
  ALWAYS_NULL,
  ASSESSMENT_FIELDS,
  BUILDING_FIELDS,
  type BuildingField,
  type Field,
  type Fields,
  GROUPS,
  TRANSFER_FIELDS,
} from '../src/record/fields.ts'
import { listV2Keys } from '../src/record/layout.ts'
import { SETTINGS } from '../src/settings/config.ts'
import { listMappingUses } from '../test/import/mapping-tables.ts'

export const FIELDS_TABLE = new URL('../docs/fields.tsv', import.meta.url)
export const SETTINGS_TABLE = new URL('../docs/settings.tsv', import.meta.url)
export const PARAMETERS_TABLE = new URL('../docs/parameters.tsv', import.meta.url)
const MAPPING_USES = new URL('../docs/mapping-uses.tsv', import.meta.url)
export const PLAIN_MAPPING = new URL('../mappings/platbook.json', import.meta.url)

type FieldSet = { properties: Record<string, unknown> }
type Schema = {
  properties: { fields: FieldSet; buildings: { items: FieldSet }; transfers: { items: FieldSet } }
}

/** The schema of mappings with the fields of the table. */
export function fillSchema(text: string): string {
  const schema = JSON.parse(text) as Schema
  const { fields, buildings, transfers } = schema.properties
  fields.properties = describe(sortKeys(MAPPING_NAMES.fields))
  buildings.items.properties = describe(MAPPING_NAMES.buildings)
  transfers.items.properties = describe(MAPPING_NAMES.transfers)
  return JSON.stringify(schema)
}

/** The mapping of the plain layout, where each column is called as the field that it fills. */
export function fillPlainMapping(text: string): string {
  const mapping = JSON.parse(text) as MappingDocument
  addPlain(mapping.fields, MAPPED_PARCEL)
  addPlain(mapping.buildings?.[0] ?? {}, MAPPED_BUILDING)
  addPlain(mapping.transfers?.[0] ?? {}, MAPPED_TRANSFER)
  return JSON.stringify(mapping)
}

function addPlain(set: Record<string, unknown>, names: Record<string, unknown>): void {
  for (const name of Object.keys(names)) set[name] ??= name
}

function describe(names: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).map(([name, description]) => [
      name,
      { description, $ref: '#/$defs/value' },
    ]),
  )
}

function sortKeys(names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The rows of `docs/fields.tsv`: names in both layouts, type and meaning of each field. */
export function listFields(): string {
  const grouped = GROUPS.flatMap(({ path, fields }) => [
    ...rows(fields, path),
    ...(path === 'buildingInformation' ? buildingRows() : []),
  ])
  const lists = [
    ...rows(TRANSFER_FIELDS, 'transfers[]'),
    ...rows(ASSESSMENT_FIELDS, 'assessments[]', 'assessments[].'),
  ]
  const others = [
    ...listV2Keys().map(({ path, field }) => ['', String(path[0]), TYPES[field.type], field.about]),
    ...Object.entries(ALWAYS_NULL).map(([name, about]) => ['', name, 'null', about]),
  ]
  return toTable(['nested', 'flat', 'type', 'meaning'], [...grouped, ...lists, ...others])
}

/** The rows of `docs/parameters.tsv`: every parameter of every operation. */
export function listParameters(): string {
  const operations = [...OPERATIONS].sort((a, b) => (a.operationId < b.operationId ? -1 : 1))
  const listed = operations.flatMap(({ operationId, parameters }) =>
    Object.entries(parameters).map(([name, parameter]) => [
      operationId,
      [name, ...(parameter.aliases ?? [])].join(', '),
      parameter.type,
      parameter.required ? 'yes' : '',
      'default' in parameter ? String(parameter.default ?? '') : '',
      parameter.about,
    ]),
  )
  return toTable(['operation', 'names', 'type', 'required', 'default', 'meaning'], listed)
}

/** The rows of `docs/settings.tsv`: every setting. */
export function listSettings(): string {
  const listed = SETTINGS.map(({ name, key, default: value, unit, about }) => [
    name,
    key === 'workers' ? 'number of cores' : value || 'none',
    unit,
    about,
  ])
  return toTable(['variable', 'default', 'unit', 'meaning'], listed)
}

function toTable(header: string[], lines: string[][]): string {
  return [header, ...lines].map((cells) => `${cells.join('\t')}\n`).join('')
}

function rows(fields: Fields, group: string, flatPrefix = ''): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { nested, flat, type, values } = field
    const about = values === undefined ? field.about : `${field.about} One of ${values.join(', ')}.`
    if (type === 'items' || type === 'empty' || (nested === null && flat === null)) return []
    const path = nested === null ? '' : (nested ?? (group === '' ? name : `${group}.${name}`))
    const key = flat === null ? '' : `${flatPrefix}${flat ?? name}`
    return [[path, key, TYPES[type], about]]
  })
}

const SEVERAL = {
  sum: 'Flat: the sum.',
  largest: 'Flat: of the largest building.',
  any: 'Flat: of any building.',
}

function buildingRows(): string[][] {
  const fields = Object.entries<BuildingField>(BUILDING_FIELDS).map(([name, field]) => {
    const { several, about } = field
    const note = several === undefined ? '' : ` ${SEVERAL[several]}`
    return [name, { ...field, about: `${about}${note}` }]
  })
  return rows(Object.fromEntries(fields), 'buildingInformation.buildings[]')
}

const TYPES: Record<Field['type'], string> = {
  text: 'text',
  date: 'date',
  moment: 'date-time',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  texts: 'list of text',
  object: 'object',
  items: 'list',
  point: 'object',
  geometry: 'object',
  empty: 'list',
  null: 'null',
}

if (import.meta.main) {
  writeFileSync(SCHEMA_PATH, fillSchema(readFileSync(SCHEMA_PATH, 'utf8')))
  writeFileSync(PLAIN_MAPPING, fillPlainMapping(readFileSync(PLAIN_MAPPING, 'utf8')))
  writeFileSync(FIELDS_TABLE, listFields())
  writeFileSync(PARAMETERS_TABLE, listParameters())
  writeFileSync(SETTINGS_TABLE, listSettings())
  writeFileSync(MAPPING_USES, listMappingUses())
}
