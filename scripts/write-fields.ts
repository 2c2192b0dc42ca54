/**
 * Writes the parts of files that follow from the record's fields: the names in
 * `mappings/schema.json`, the columns of the plain layout in `mappings/platbook.json` and the
 * tables of `docs/api.md`. Run it after a change of `src/record/fields.ts`: `npm run fields`. A
 * test fails if it was forgotten.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  MAPPED_BUILDING,
  MAPPED_PARCEL,
  MAPPED_TRANSFER,
  MAPPING_NAMES,
} from '../src/import/mapping/fields.ts'
import { type MappingDocument, SCHEMA_PATH } from '../src/import/mapping/mapping.ts'
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

export const API_PAGE = new URL('../docs/api.md', import.meta.url)
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

const [BEGIN, END] = ['<!-- fields: npm run fields -->', '<!-- end of fields -->']

/** The page with its tables of fields. */
export function fillPage(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN)
  const after = rest.slice(rest.indexOf(END))
  return `${before}${BEGIN}\n\n${[...tables(), v2Keys(), alwaysNull()].join('\n\n')}\n\n${after}`
}

const TITLES: Record<string, string> = {
  propertyIdentification: 'The parcel',
  'propertyIdentification.currentOwner': 'The owner',
  propertyLocation: 'The place',
  propertyClassification: 'The use',
  buildingInformation: 'The buildings',
  landInformation: 'The land',
  valuationInformation: 'The values',
  taxInformation: 'The tax',
  realieValuation: 'The estimated values',
  source: 'The source',
}

function tables(): string[] {
  const [id = [], ...others] = GROUPS.map(({ path, fields }) => rows(fields, path))
  return GROUPS.slice(1).flatMap(({ path }, at) => {
    const own = others[at] ?? []
    const title = TITLES[path]
    if (title === undefined)
      return at + 2 === GROUPS.length ? [table('The rest', own)] : listTables()
    const items = path === 'buildingInformation' ? buildingRows() : []
    return [table(title, [...(at === 0 ? id : []), ...own, ...items])]
  })
}

function table(title: string, lines: string[]): string {
  return [`### ${title}`, '', '| nested | flat | type | |', '|---|---|---|---|', ...lines].join(
    '\n',
  )
}

function rows(fields: Fields, group: string, flatPrefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { nested, flat, type, values } = field
    const about = values === undefined ? field.about : `${field.about} One of ${list(values)}.`
    if (type === 'items' || type === 'empty' || (nested === null && flat === null)) return []
    const path = nested === null ? '' : (nested ?? (group === '' ? name : join(group, name)))
    const key = flat === null ? '' : `${flatPrefix}${flat ?? name}`
    return [
      `| ${code(path)} | ${code(key)} | ${TYPES[type]} | ${about} |`.replaceAll('|  |', '| |'),
    ]
  })
}

const join = (group: string, name: string) => `${group}.${name}`
const list = (values: readonly string[]) => values.map(code).join(', ')
const code = (name: string) => (name === '' ? '' : `\`${name}\``)

const SEVERAL = {
  sum: 'Flat: the sum.',
  largest: 'Flat: of the largest building.',
  any: 'Flat: of any building.',
}

function buildingRows(): string[] {
  const fields = Object.entries<BuildingField>(BUILDING_FIELDS).map(([name, field]) => {
    const { several, about } = field
    const note = several === undefined ? '' : ` ${SEVERAL[several]}`
    return [name, { ...field, about: `${about}${note}` }]
  })
  return rows(Object.fromEntries(fields), 'buildingInformation.buildings[]')
}

function listTables(): string[] {
  return [
    table(
      'Transfers, newest first; the flat layout also has the fields of the newest one at the top',
      rows(TRANSFER_FIELDS, 'transfers[]'),
    ),
    table(
      'The assessments, newest first, one per roll year that was loaded',
      rows(ASSESSMENT_FIELDS, 'assessments[]', 'assessments[].'),
    ),
  ]
}

function v2Keys(): string {
  const lines = listV2Keys().map(({ path, field }) => `| \`${path[0]}\` | ${field.about} |`)
  return ['### Names on v2 reads only', '', '| flat | |', '|---|---|', ...lines].join('\n')
}

function alwaysNull(): string {
  const lines = Object.entries(ALWAYS_NULL).map(([name, about]) => `| \`${name}\` | ${about} |`)
  return [
    '### Names that are always empty',
    '',
    "No assessor's roll holds them. The nested layout has `liens` and `foreclosures`, " +
      'always `[]`. The',
    'flat layout has these, always `null`:',
    '',
    '| flat | |',
    '|---|---|',
    ...lines,
  ].join('\n')
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
  writeFileSync(API_PAGE, fillPage(readFileSync(API_PAGE, 'utf8')))
}
