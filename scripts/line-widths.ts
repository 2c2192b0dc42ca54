/**
 * Finds lines that are too wide: in code and its comments, in SQL and WebAssembly text, in pages.
 *
 * Lines that have no place to break are not counted: JSON and CSV files, tables of data, and
 * generated files. In pages these are rows of tables, fenced blocks and lines that hold one long
 * link.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The widest line that is accepted, in characters. */
export const COLUMNS_MAX = 100

/** A file's path from the root and its lines. */
export type TextFile = { path: string; lines: readonly string[] }

/** Folders and files that count besides the TypeScript of `src`, `test`, `bench`, `scripts`. */
const PLACES = ['src', 'client/src', 'docs', 'deploy', '.ci']
const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
  'client/build.mjs',
]
const KINDS = /\.(?:md|sql|wat|css|js|yml)$|^\.ci\/|^deploy\/[^.]+$|^client\/src\/.*\.ts$/
const GENERATED = ['client/src/generated.ts']

/**
 * Reads the pages, SQL files and other texts whose width counts, in the order of their paths.
 *
 * `root`: the folder of the project. Files that are not there are left out.
 */
export function readTexts(root: string): TextFile[] {
  const paths = PLACES.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
  )
  return [...paths.filter((path) => KINDS.test(path) && !GENERATED.includes(path)), ...FILES]
    .filter((path) => !path.includes('node_modules') && existsSync(join(root, path)))
    .sort()
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }))
}

/** Returns `path:line: columns` for each line that is wider than `COLUMNS_MAX`. */
export function findWide({ path, lines }: TextFile): string[] {
  const counted = path.endsWith('.md') ? findProse(lines) : lines
  return counted.flatMap((line, at) =>
    [...line].length > COLUMNS_MAX ? [`${path}:${at + 1}: ${[...line].length}`] : [],
  )
}

/** The lines of a page, with an empty one in place of each that has no place to break. */
function findProse(lines: readonly string[]): string[] {
  let isFenced = false
  return lines.map((line) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isFenced = !isFenced
    const isTable = line.trimStart().startsWith('|')
    const isOneWord = !/\S\s+\S/.test(line.replace(/^\s*(?:[-*>]|\d+\.|\[[^\]]*\]:)\s+/, ''))
    return isFence || isFenced || isTable || isOneWord ? '' : line
  })
}
