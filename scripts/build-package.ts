/**
 * Builds `dist/`, the code of the published package, because Node strips no types under
 * `node_modules`. Each file of `src/` except tests becomes JavaScript at the same relative path, so
 * that files beside it are found. Run by `npm pack`; a checkout needs no build.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const SOURCE = new URL('../src/', import.meta.url).pathname
const TARGET = new URL('../dist/', import.meta.url).pathname

rmSync(TARGET, { recursive: true, force: true })
for (const entry of readdirSync(SOURCE, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue
  const source = join(entry.parentPath, entry.name)
  const target = join(TARGET, source.slice(SOURCE.length))
  mkdirSync(dirname(target), { recursive: true })
  if (!entry.name.endsWith('.ts')) copyFileSync(source, target)
  else writeFileSync(target.replace(/ts$/, 'js'), toJavaScript(readFileSync(source, 'utf8')))
}

/** Strips types in place, so that lines keep their numbers, and names files by their new ending. */
function toJavaScript(text: string): string {
  return stripTypeScriptTypes(text).replace(/'([\w./-]+)\.ts'/g, "'$1.js'")
}
