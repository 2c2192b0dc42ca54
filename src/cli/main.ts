#!/usr/bin/env node
/** The program. The cache of compiled code comes first: docs/decisions/benches-and-start.md. */
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/platbook', import.meta.url))

const QUIET = '--disable-sigusr1'

if (Number.parseInt(process.versions.node, 10) < 26) {
  process.stderr.write(`platbook: it needs Node 26 or newer, and this is ${process.version}\n`)
  process.exit(1)
}
// If the folder is not writable, every start compiles again, which is not an error.
module.enableCompileCache(CACHE)
// Enables the cache for child processes too.
process.env.NODE_COMPILE_CACHE ??= CACHE
// The signal would open a debugger to every user of this machine; here, and in child processes.
process.on('SIGUSR1', () => undefined)
const { NODE_OPTIONS = '' } = process.env
if (!NODE_OPTIONS.includes(QUIET)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${QUIET}`.trim()

const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
