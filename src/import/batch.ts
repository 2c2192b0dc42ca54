/** What readers of files give, and what they are told. */
import type { BrokenRow } from './readers/csv.ts'

/** Rows of one file that share their columns. */
export type Batch = {
  /** The file as the person named it, with the entry of an archive behind it. */
  file: string
  /** The same array for batches of the same columns. */
  columns: readonly string[]
  /** Values by column, `''` where the file has none. */
  rows: string[][]
  /** Line or record number of each row, counted from 1 in its file. */
  lines: number[]
  /** WGS84 longitude and latitude of each row's shape; absent when the file has no shapes. */
  points?: (readonly [number, number] | null)[]
  /** GeoJSON text of each row's shape, when polygons are asked for. */
  polygons?: (string | null)[]
  broken: BrokenRow[]
}

/** How a file is read where its own bytes do not decide. */
/**
 * A column: `start` counted from 1; `decimals`: digits behind the point that the file leaves out.
 */
export type TableColumn = { name: string; start: number; length: number; decimals?: number }

/** A kind of line: those that begin with `prefix`, or all. */
export type LineKind = { prefix?: string; columns: TableColumn[] }

export type SourceOptions = {
  /** Text encoding, where the file's own bytes are not to decide. */
  encoding?: string | undefined
  /** One character, or `fixed` for columns of fixed width. */
  separator?: string | undefined
  /** Lines above the header of delimited text; found where it is left out. */
  skip?: number | undefined
  /**
   * Names for the columns of delimited text without a header line; `guess`: `column1` and on, where
   * the first line looks like a row.
   */
  columns?: readonly string[] | 'guess' | undefined
  /** The columns of text of fixed width, where the mapping tells them. */
  fixedWidth?: readonly LineKind[] | undefined
  /** EPSG code of shapes without a .prj. */
  epsg?: number | undefined
  /** Whether polygons are wanted. */
  geometry: boolean
  /** Whether columns are those of the roll: an archive may hold other layers beside it. */
  fits(columns: readonly string[]): boolean
  /** Hears what is doubtful about a file, a sentence each. */
  onWarning?(text: string): void
  /** Hears the bytes read from disk. */
  onBytes(count: number): void
}
