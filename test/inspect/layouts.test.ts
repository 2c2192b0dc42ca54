/**
 * Drafts of layouts that inspect was not written for: the field of each column, and the rows loaded
 * by the draft.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { findCounty } from '../../src/regions/counties.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, openLoaded, TODAY, write } from '../import/small-roll.ts'
import { type InventedRow, inventRows } from './invented-rows.ts'

const ROWS = 80
/** Share of a layout's columns that a draft must recognise. */
const TOLD = 0.9

type Column = { name: string; template: string; fields: string[] }

const LAYOUTS = readFileSync(new URL('layouts.txt', import.meta.url), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((block) => {
    const [head = '', ...lines] = block.trim().split('\n')
    const [, title = '', state = '', county = ''] = /^(.*) ([A-Z]{2}) (.*)$/.exec(head) ?? []
    const columns = lines.map((line): Column => {
      const [name = '', template = '', fields] = line.split(';')
      return { name, template, fields: fields === undefined ? [] : fields.split('|') }
    })
    return { title, state, county, columns }
  })

for (const { title, state, county, columns } of LAYOUTS) {
  test(`a layout nobody has met: ${title}`, async (t) => {
    const rows = inventRows(state, ROWS)
    const data = makeFolder(t)
    const isNameless = columns[0]?.name === 'column1'
    const text = [
      isNameless ? '' : csvRow(columns.map(({ name }) => name)),
      ...rows.map((row) => csvRow(columns.map(({ template }) => fill(template, row)))),
    ]
    const file = write(data, 'roll.csv', text.join(''))
    const { draft } = await inspectFile(file, { today: TODAY, mappings: [], state, county })
    const taken = fieldsByColumn(draft)
    const asked = columns.filter(({ fields }) => fields.length > 0)
    const wrong = asked.filter(({ name, fields }) => {
      const found = taken.get(name) ?? []
      return fields[0] === '-' ? found.length > 0 : !fields.some((field) => found.includes(field))
    })
    const wrongLines = wrong.map(({ name, fields }) => `${name}: ${taken.get(name)}, not ${fields}`)
    assert.ok(wrong.length <= asked.length * (1 - TOLD), wrongLines.join('\n'))
    const mapping = readMapping(showDraft(draft), 'the draft')
    const report = await importRoll(data, [file], { mapping })
    assert.equal(report.loaded, ROWS, JSON.stringify(report.reasons))
    assert.deepEqual(report.unread, {})
    const fips = findCounty(state, county)?.fips ?? 0
    const page = await openLoaded(t, join(data)).page(
      { state, fips, assignedOnly: false },
      { afterId: 0, skip: 0, limit: ROWS },
      performance.now() + 60_000,
    )
    const parcels = page.parcels.map(({ fieldValues }) => decodeParcel(fieldValues))
    const faults = parcels.flatMap((parcel, at) => faultsOf(parcel, rows[at] ?? {}, columns))
    assert.ok(faults.length <= ROWS * 0.02, faults.slice(0, 5).join('\n'))
  })
}

/**
 * `{name}` is a value of the row; a template whose first value is blank is blank, and blanks are
 * folded.
 */
function fill(template: string, row: InventedRow): string {
  const [, first] = /\{(\w+)\}/.exec(template) ?? []
  if (first !== undefined && row[first] === '') return ''
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = row[name]
    if (value === undefined) throw new Error(`{${name}} is not a value of an invented row`)
    return value
  })
}

function fieldsByColumn(
  draft: Awaited<ReturnType<typeof inspectFile>>['draft'],
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { section, name, columns, certainty } of draft.entries) {
    const field =
      section === 'fields' || section === 'alternateParcelIds' ? name : `${section}.${name}`
    if (certainty >= 0.6)
      for (const one of columns) found.set(one, [...(found.get(one) ?? []), field])
  }
  return found
}

/**
 * Values that a lookup would answer wrongly: every value of the row's columns must be in the
 * record.
 */
function faultsOf(parcel: Parcel, row: InventedRow, columns: Column[]): string[] {
  const text = columns.map(({ template }) => template).join(' ')
  const has = (name: string) => text.includes(`{${name}}`)
  const isTold = (field: string) => columns.some(({ fields }) => fields.includes(field))
  const [sale] = parcel.transfers
  const pairs: [boolean, string, unknown, string | undefined][] = [
    [true, 'owner', parcel.ownerName?.includes(row.surname?.split(' ')[0] ?? '?'), 'true'],
    [true, 'mail', parcel.ownerStreet?.replace(/ APT \d+$/, ''), row.mailLine],
    [true, 'mail city', parcel.ownerCity, row.mailCity],
    [true, 'mail state', parcel.ownerState, row.mailState],
    [true, 'mail ZIP', parcel.ownerZipCode, row.mailZip],
    [isTold('city'), 'city', parcel.city, row.city],
    [isTold('jurisdiction'), 'municipality', parcel.jurisdiction, row.city],
    [has('zip'), 'ZIP', parcel.zipCode, row.zip],
    [has('built'), 'built', parcel.buildings[0]?.actualYearBuilt, row.built],
    [has('latitude'), 'latitude', parcel.latitude, row.latitude?.replace(/0+$/, '')],
    [
      row.soldIso !== '' && /\{sold/.test(text),
      'sold',
      (sale?.transferDate ?? sale?.recordingDate)?.slice(0, 7),
      row.soldIso?.slice(0, 7),
    ],
    [row.soldIso !== '' && has('price'), 'price', sale?.transferPrice, row.price],
    [
      true,
      'total',
      parcel.totalMarketValue ?? parcel.totalAssessedValue,
      has('total') ? row.total : row.assessed,
    ],
  ]
  const street = parcel.addressRaw?.startsWith(`${row.number} `)
    ? []
    : [`address ${parcel.addressRaw}, not ${row.line}`]
  return pairs
    .filter(([asked, , own, wanted]) => asked && String(own ?? '') !== (wanted ?? ''))
    .map(([, name, own, wanted]) => `${name} ${own}, not ${wanted}`)
    .concat(street)
}
