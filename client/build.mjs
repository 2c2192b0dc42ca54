/** Makes `dist/` with the TypeScript compiler: ES modules, and CommonJS for older code. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
)
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
compile(folder, join(dist, 'esm'))

// The compiler takes the kind of module from the nearest package.json: CommonJS is made from a copy
// without `"type": "module"`.
mkdirSync(join(folder, 'node_modules', '.cache'), { recursive: true })
const copy = mkdtempSync(join(folder, 'node_modules', '.cache', 'cjs-'))
try {
  cpSync(join(folder, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(folder, 'tsconfig.json'), join(copy, 'tsconfig.json'))
  writeFileSync(join(copy, 'package.json'), '{"type":"commonjs"}')
  compile(copy, join(dist, 'cjs'), ['--verbatimModuleSyntax', 'false'])
} finally {
  rmSync(copy, { recursive: true })
}
writeFileSync(join(dist, 'cjs', 'package.json'), '{"type":"commonjs"}\n')

function compile(project, outDir, options = []) {
  const parameters = ['-p', join(project, 'tsconfig.json'), '--outDir', outDir, ...options]
  execFileSync(process.execPath, [compiler, ...parameters], { stdio: 'inherit' })
}
