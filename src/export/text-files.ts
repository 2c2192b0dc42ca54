/** Writes exports as text: CSV, and GeoJSON features one per line. */
import type { ExportColumn, ExportValue } from './columns.ts'
import type { NewFile } from './new-file.ts'
import type { ExportShape } from './shape.ts'

export type ExportRow = {
  values: ExportValue[]
  shape: ExportShape | undefined
  /** GeoJSON of the loaded polygon. */
  polygon: string | null
  /** Returns the record in the nested layout. */
  record(): Record<string, unknown>
}

export type ExportWriter = {
  /** Parcels passed at a time. */
  readonly batchRows: number
  write(rows: ExportRow[]): Promise<void>
  /** Writes the text after the last row. */
  end(): Promise<void>
}

const BATCH_ROWS = 2000

/** Writes CSV by RFC 4180 with line feeds; the last column is the polygon as GeoJSON. */
export async function openCsv(
  file: NewFile,
  columns: readonly ExportColumn[],
): Promise<ExportWriter> {
  await file.write(`${[...columns.map(({ name }) => name), 'geometry'].map(quote).join(',')}\n`)
  return {
    batchRows: BATCH_ROWS,
    async write(rows) {
      const lines = rows.map(({ values, polygon }) => {
        const cells = values.map((value, at) => cell(value, columns[at] as ExportColumn))
        return `${cells.join(',')},${quote(polygon ?? '')}\n`
      })
      await file.write(lines.join(''))
    },
    async end() {},
  }
}

export function openGeoJsonLines(
  file: NewFile,
  propertiesOf: (row: ExportRow) => Record<string, unknown>,
): ExportWriter {
  return {
    batchRows: BATCH_ROWS,
    async write(rows) {
      const lines = rows.map((row) => {
        const properties = JSON.stringify(propertiesOf(row))
        const geometry = row.shape?.text ?? 'null'
        return `{"type":"Feature","properties":${properties},"geometry":${geometry}}\n`
      })
      await file.write(lines.join(''))
    },
    async end() {},
  }
}

function cell(value: ExportValue, { type }: ExportColumn): string {
  if (value === null || value === undefined) return ''
  if (type === 'texts') return quote((value as string[]).join('; '))
  if (type === 'json') return isEmpty(value) ? '' : quote(JSON.stringify(value))
  return typeof value === 'string' ? quote(value) : String(value)
}

export function isEmpty(value: unknown): boolean {
  return Object.keys(value as object).length === 0
}

const MARKS = /[",\r\n]|^\s|\s$/

function quote(text: string): string {
  return MARKS.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
