#!/usr/bin/env node
/**
 * The program. What the runtime makes of its files (types stripped, functions compiled) is kept
 * from one start to the next: docs/decisions/benches-and-start.md.
 *
 * This file imports nothing of the program before that is switched on.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/platbook', import.meta.url))

// Where nothing can be written, every start compiles anew; that is no fault.
enableCompileCache(CACHE)
// The processes that it starts do the same.
process.env.NODE_COMPILE_CACHE ??= CACHE

const { runCommandLine } = await import('./run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
