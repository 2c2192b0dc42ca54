#!/usr/bin/env node
/** The program. The cache of compiled code comes first: docs/decisions/benches-and-start.md. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/platbook', import.meta.url))

const QUIET = '--disable-sigusr1'

// If the folder is not writable, every start compiles again, which is not an error.
enableCompileCache(CACHE)
// Enables the cache for child processes too.
process.env.NODE_COMPILE_CACHE ??= CACHE
// The signal would open a debugger to every user of this machine; here, and in child processes.
process.on('SIGUSR1', () => undefined)
const { NODE_OPTIONS = '' } = process.env
if (!NODE_OPTIONS.includes(QUIET)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${QUIET}`.trim()

const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
