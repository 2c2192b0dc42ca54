/** Compiles `src/store/postgres/pack/unpack.wasm` from the `.wat` file beside it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { assemble } from './build-render.ts'

export const SOURCE = new URL('../src/store/postgres/pack/unpack.wat', import.meta.url)
export const MADE = new URL('../src/store/postgres/pack/unpack.wasm', import.meta.url)

if (import.meta.main) writeFileSync(MADE, await assemble(readFileSync(SOURCE, 'utf8')))
