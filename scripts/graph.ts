/**
 * Shows how the source hangs together: folders, arrows between them, and what breaks the rules.
 *
 *   npm run graph              prints it all
 *   npm run graph -- --check   prints what breaks a rule, and ends with 1 if one of them binds
 *
 * The rules: imports form no cycle and point down the layers, and every export is used elsewhere. A
 * folder has at most 20 source files, a line at most 100 columns, also in pages and SQL (see
 * line-widths.ts). An import of a type counts as an import. `--check` fails on a cycle, an arrow
 * up, a folder with too many files, a wide line and what house-rules.ts finds; lengths of files are
 * only printed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HOUSE_TITLES, type HouseFindings, inspectHouse } from './house-rules.ts'
import { COLUMNS_MAX, findWide, readTexts, type TextFile } from './line-widths.ts'

/** Folders of `src/`, and `app.ts`, from top to bottom. Those of one row may import each other. */
export const LAYERS = [
  ['cli'],
  ['processes'],
  ['app.ts'],
  ['console', 'http'],
  ['basemap'],
  ['enrich', 'release', 'watches'],
  ['mcp', 'operations'],
  ['notify'],
  ['accounts', 'ledger'],
  ['sandbox'],
  ['billing'],
  ['export', 'import', 'inspect', 'sample'],
  ['privacy'],
  ['render'],
  ['address', 'owner', 'regions', 'geo', 'sales'],
  ['store'],
  ['record'],
  ['settings'],
  ['base'],
]

/** Tables of data: they may have any length. */
export const DATA_TABLES = ['src/record/fields.ts']

export const FILES_MAX = 20
export const LINES_MAX = 300

const ROOT = new URL('..', import.meta.url).pathname

/** A TypeScript file: its path from the root, its text, and what it imports from the project. */
export type SourceFile = { path: string; lines: string[]; imports: Import[]; exports: Export[] }
type Import = { path: string; names: string[] }
type Export = { name: string; isType: boolean; isDocumented: boolean }

/** What breaks a rule, a sentence each. */
export type Findings = Record<'cycles' | 'up' | 'folders' | 'long' | 'wide' | 'unused', string[]>

function main(onlyCheck: boolean): void {
  const files = readProject(ROOT)
  const findings = inspectGraph(files, readTexts(ROOT))
  if (!onlyCheck) printGraph(files)
  const titles: Record<keyof Findings, string> = {
    cycles: 'cycles of imports',
    up: 'imports that point up',
    folders: `folders with more than ${FILES_MAX} source files`,
    long: `code files with more than ${LINES_MAX} lines`,
    wide: `lines with more than ${COLUMNS_MAX} columns`,
    unused: 'exports that nothing imports',
  }
  for (const [kind, found] of Object.entries(findings) as [keyof Findings, string[]][]) {
    const shown = kind === 'wide' && !process.argv.includes('--all') ? countByFile(found) : found
    console.log(`${titles[kind]}: ${found.length}`)
    for (const line of shown) console.log(`  ${line}`)
  }
  const isBroken = BINDING.some((kind) => findings[kind].length > 0)
  const isUnruly = printHouse(inspectHouse(files.filter(isProgram)))
  process.exitCode = onlyCheck && (isBroken || isUnruly) ? 1 : 0
}

/** Prints what breaks a rule of a single file, and reports whether anything does. */
function printHouse(found: HouseFindings): boolean {
  for (const [rule, title] of Object.entries(HOUSE_TITLES) as [keyof HouseFindings, string][]) {
    console.log(`${title}: ${found[rule].length}`)
    for (const line of found[rule]) console.log(`  ${line}`)
  }
  return Object.values(found).some((lines) => lines.length > 0)
}

/** The rules that `--check` fails on. */
export const BINDING = ['cycles', 'up', 'folders', 'wide'] as const

/** Reads all TypeScript files of the project. */
export function readProject(root: string): SourceFile[] {
  const paths = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  )
  return paths.sort().map((path) => readSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Takes a file's text apart. */
export function readSource(path: string, text: string): SourceFile {
  return {
    path,
    lines: text.trimEnd().split('\n'),
    imports: findImports(path, text),
    exports: findExports(text),
  }
}

/**
 * Lists everything that breaks a rule. `texts`: pages, SQL and similar files; only their width
 * counts.
 */
export function inspectGraph(files: SourceFile[], texts: TextFile[] = []): Findings {
  const source = files.filter(isProgram)
  return {
    cycles: findCycles(source).map((cycle) => cycle.join(' → ')),
    up: findUpward(source),
    folders: countFiles(source)
      .filter(([, count]) => count > FILES_MAX)
      .map(([folder, count]) => `${folder}: ${count}`),
    long: source
      .filter(({ path, lines }) => lines.length > LINES_MAX && !DATA_TABLES.includes(path))
      .map(({ path, lines }) => `${path}: ${lines.length}`),
    wide: [...files, ...texts].filter(({ path }) => !DATA_TABLES.includes(path)).flatMap(findWide),
    unused: findUnused(files),
  }
}

function isProgram({ path }: SourceFile): boolean {
  return path.startsWith('src/') && !path.endsWith('.test.ts')
}

const IMPORT = /^(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s+'(\.[^']+)'/gms
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g

function findImports(path: string, text: string): Import[] {
  const resolve = (target: string) => join(dirname(path), target)
  const plain = [...text.matchAll(IMPORT)].map(([, clause = '', target = '']) => ({
    path: resolve(target),
    names: readNames(clause),
  }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, target = '']) => ({
    path: resolve(target),
    names: ['*'],
  }))
  return [...plain, ...dynamic]
}

/** `{ a, type B, c as d }` as the names that the other file exports; `*` for all. */
function readNames(clause: string): string[] {
  const inner = /\{([^}]*)\}/s.exec(clause)?.[1]
  if (inner === undefined) return ['*']
  return inner
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter((name) => name !== '')
}

const EXPORT = /^export (?:async )?(const|let|function\*?|class|type) (\w+)/

function findExports(text: string): Export[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, kind, name] = EXPORT.exec(line) ?? []
    if (kind === undefined || name === undefined) return []
    const isDocumented = (lines[at - 1] ?? '').trimEnd().endsWith('*/')
    return [{ name, isType: kind === 'type', isDocumented }]
  })
}

/** Strongly connected files, by Tarjan's algorithm; each as its paths in order. */
export function findCycles(files: SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: SourceFile): void => {
    const { path } = file
    order.set(path, order.size)
    low.set(path, order.get(path) as number)
    stack.push(path)
    for (const { path: target } of file.imports) {
      const next = byPath.get(target)
      if (next === undefined) continue
      if (!order.has(target)) visit(next)
      else if (!stack.includes(target)) continue
      low.set(path, Math.min(low.get(path) as number, low.get(target) as number))
    }
    if (low.get(path) !== order.get(path)) return
    const members = stack.splice(stack.indexOf(path))
    const isOwn = file.imports.some((one) => one.path === path)
    if (members.length > 1 || isOwn) cycles.push(members)
  }
  for (const file of files) if (!order.has(file.path)) visit(file)
  return cycles
}

function findUpward(files: SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ path: target }) => target.startsWith('src/') && rankOf(target) < rankOf(path))
      .map(({ path: target }) => `${path} → ${target}`),
  )
}

/** The layer of a file of `src/`; a file of no layer counts as above all of them. */
function rankOf(path: string): number {
  return LAYERS.findIndex((layer) => layer.includes(unitOf(path)))
}

/** The folder, or the file, right under `src/`. */
function unitOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function countFiles(files: SourceFile[]): [folder: string, count: number][] {
  const groups = Map.groupBy(files, ({ path }) => dirname(path))
  return [...groups].map(([folder, members]) => [folder, members.length])
}

function countByFile(found: string[]): string[] {
  const groups = Map.groupBy(found, (line) => line.split(':')[0] ?? '')
  return [...groups]
    .map(([path, lines]): [string, number] => [path, lines.length])
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([path, count]) => `${path}: ${count}`)
}

/** Exports of `src/` that no other file imports. */
function findUnused(files: SourceFile[]): string[] {
  const used = new Set<string>()
  for (const { imports } of files) {
    for (const { path, names } of imports) for (const name of names) used.add(`${path} ${name}`)
  }
  return files
    .filter(isProgram)
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name }) => !used.has(`${path} ${name}`) && !used.has(`${path} *`))
        .map(({ name, isType }) => `${path}: ${isType ? 'type ' : ''}${name}`),
    )
}

function printGraph(files: SourceFile[]): void {
  const source = files.filter(isProgram)
  console.log('folders:')
  for (const [folder, count] of countFiles(source)) console.log(`  ${folder}: ${count}`)
  console.log('arrows:')
  const arrows = Map.groupBy(
    source.flatMap(({ path, imports }) => imports.map((one) => [unitOf(path), unitOf(one.path)])),
    ([from, to]) => `${from} → ${to}`,
  )
  for (const [arrow, uses] of [...arrows].sort()) {
    const [from, to] = uses[0] ?? []
    if (from !== to) console.log(`  ${arrow}: ${uses.length}`)
  }
  const exports = source.flatMap((file) => file.exports)
  const documented = exports.filter(({ isDocumented }) => isDocumented).length
  const lines = source
    .filter(({ path }) => !DATA_TABLES.includes(path))
    .flatMap((file) => file.lines)
  const written = lines.filter((line) => line.trim() !== '')
  const comments = written.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line))
  const share = (part: number, of: number) => `${Math.round((100 * part) / of)} %`
  console.log(`documented exports: ${share(documented, exports.length)} of ${exports.length}`)
  console.log(`lines of comments: ${share(comments.length, written.length)} of ${written.length}`)
}

if (import.meta.main) main(process.argv.includes('--check'))
