/** The types that file readers produce (batches) and take (options). */
import type { RowPlace } from '../store/origins/origins.ts'
import type { BrokenRow } from './readers/csv.ts'
import type { UnplacedShapes } from './report/unplaced.ts'

/** Rows of one file that share the same columns. */
export type Batch = {
  /** The file as the person named it, followed by the entry's name if it is an archive. */
  file: string
  /** Consecutive batches with the same columns share this array. */
  columns: readonly string[]
  /** Columns that came from an object within a row: `deed.date` is the date of `deed`. */
  nested?: ReadonlySet<string>
  /** The values of each row in the order of `columns`; `''` where the file has none. */
  rows: string[][]
  /** Line or record number of each row, counted from 1 in its file. */
  lines: number[]
  /** WGS84 longitude and latitude of each row's shape; absent when the file has no shapes. */
  points?: (readonly [number, number] | null)[]
  /** GeoJSON text of each row's shape, when polygons are asked for. */
  polygons?: (string | null)[]
  /** The rows of further files that were joined to each row, by kind. */
  partners?: (readonly (RowPlace | null)[])[]
  broken: BrokenRow[]
}

export function emptyBatch(file: string, columns: readonly string[]): Batch {
  return { file, columns, rows: [], lines: [], broken: [] }
}

/** A column. `start` counts from 1. `decimals`: digits after an implied decimal point. */
export type TableColumn = { name: string; start: number; length: number; decimals?: number }

/** A kind of line: lines that begin with `prefix`, or all lines without one. */
export type LineKind = { prefix?: string; columns: TableColumn[] }

/** What readers note about files, apart from their rows. */
export type ReadingNotes = {
  /** Bytes read from disk. */
  bytes: number
  /** Rows whose shape has no place. */
  readonly unplaced: UnplacedShapes
  /** Notes a doubtful point about a file, a sentence; the same one counts once. */
  warn(text: string): void
}

/** How to read a file whose own bytes do not decide it. */
export type SourceOptions = {
  /** Text encoding, when the file's own bytes must not decide it. */
  encoding?: string | undefined
  /** The separator: one character, or `fixed` for fixed-width columns. */
  separator?: string | undefined
  /** Number of lines above the header of delimited text; detected when absent. */
  skip?: number | undefined
  /** Names for text without a header; `guess`: `column1` and so on if the first line is a row. */
  columns?: readonly string[] | 'guess' | undefined
  /** The fixed-width columns, when the mapping defines them. */
  fixedWidth?: readonly LineKind[] | undefined
  /** Whether a row of delimited text may lack its last fields. */
  padsShort?: boolean
  /** EPSG code of the shapes when there is no .prj file. */
  epsg?: number | undefined
  /** Whether to read polygons. */
  geometry: boolean
  /** Whether the mapping itself reads GeoJSON in the column of exported polygons. */
  readsGeometry?: boolean
  /** Whether columns belong to the roll, as some layers of an archive do; all when absent. */
  fits?(columns: readonly string[]): boolean
  notes?: ReadingNotes | undefined
}

/** Column with the reason why a row could not be downloaded. Such a row is rejected. */
export const UNREAD = 'platbook:unread'
