/** Writes GeoParquet 1.1, a row group at a time: https://geoparquet.org/releases/v1.1.0/. */
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, geojsonToWkb, ParquetWriter } from 'hyparquet-writer'
import type { Box } from '../geo/sphere.ts'
import type { ColumnType, ExportColumn, ExportValue } from './columns.ts'
import type { NewFile } from './new-file.ts'
import { joinBoxes } from './shape.ts'
import { type ExportRow, type ExportWriter, isEmpty } from './text-files.ts'

/** Rows of a row group, which is built in memory. */
const GROUP_ROWS = 20_000

const SIDES = { xmin: 'west', ymin: 'south', xmax: 'east', ymax: 'north' } as const

export function openParquet(file: NewFile, columns: readonly ExportColumn[]): ExportWriter {
  const bytes = new ByteWriter(4_194_304)
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(columns),
    createdBy: 'Platbook',
    kvMetadata: [],
  })
  const flush = async () => {
    await file.write(bytes.getBytes().slice())
    bytes.index = 0
  }
  const types = new Set<string>()
  let box: Box | undefined
  return {
    batchRows: GROUP_ROWS,
    async write(rows) {
      for (const { shape } of rows) {
        if (shape === undefined) continue
        types.add(shape.type)
        box = joinBoxes(box, shape.box)
      }
      await writer.write({ columnData: columnData(columns, rows), rowGroupSize: GROUP_ROWS })
      await flush()
    },
    async end() {
      writer.kvMetadata = [{ key: 'geo', value: JSON.stringify(describe(types, box)) }]
      await writer.finish()
      await flush()
    },
  }
}

/** 64-bit integers, because values of large buildings exceed two billion dollars. */
const ELEMENTS: Record<Exclude<ColumnType, 'texts'>, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  date: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
}

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const required = { repetition_type: 'REQUIRED' } as const
  return [
    { name: 'root', num_children: columns.length + 2 },
    ...columns.flatMap(({ name, type }): SchemaElement[] =>
      type === 'texts'
        ? [
            { name, ...optional, converted_type: 'LIST', num_children: 1 },
            { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
            { name: 'element', ...required, ...ELEMENTS.text },
          ]
        : [{ name, ...optional, ...ELEMENTS[type] }],
    ),
    { name: 'bbox', ...optional, num_children: 4 },
    ...Object.keys(SIDES).map((name) => ({ name, ...required, ...ELEMENTS.number })),
    { name: 'geometry', ...optional, type: 'BYTE_ARRAY' },
  ]
}

/** The columns of a row group. Each is made when it is written, and not kept. */
function columnData(columns: readonly ExportColumn[], rows: readonly ExportRow[]) {
  const lazy = (name: string, make: (row: ExportRow) => unknown) => ({
    name,
    get data() {
      return rows.map(make)
    },
  })
  return [
    ...columns.map(({ name, type }, at) => lazy(name, ({ values }) => convert(values[at], type))),
    lazy('bbox', ({ shape }) => {
      if (shape === undefined) return null
      const { box } = shape
      return Object.fromEntries(Object.entries(SIDES).map(([name, side]) => [name, box[side]]))
    }),
    Object.assign(
      lazy('geometry', ({ shape }) =>
        shape === undefined ? null : Uint8Array.from(geojsonToWkb(JSON.parse(shape.text))),
      ),
      { statistics: false },
    ),
  ]
}

function convert(value: ExportValue, type: ColumnType): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'integer':
      return BigInt(Math.round(Number(value)))
    case 'date':
      return new Date(`${String(value).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')}T00:00:00Z`)
    case 'moment':
      return new Date(String(value))
    case 'json':
      return isEmpty(value) ? null : value
    default:
      return value
  }
}

function describe(types: ReadonlySet<string>, box: Box | undefined) {
  const covering = Object.fromEntries(Object.keys(SIDES).map((side) => [side, ['bbox', side]]))
  return {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: [...types].sort(),
        ...(box !== undefined && { bbox: [box.west, box.south, box.east, box.north] }),
        covering: { bbox: covering },
      },
    },
  }
}
