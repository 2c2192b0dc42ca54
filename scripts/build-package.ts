/**
 * Makes `dist/`, which is what the published package runs: Node strips no types under
 * `node_modules`. Each file of `src/` but its tests becomes JavaScript at the same place, so that
 * what is found beside it is still there. Run by `npm pack`; a checkout needs no build.
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
