/** Compiles `src/render/render.wasm` from `render.wat`: `npm run wasm`. */
import { readFileSync, writeFileSync } from 'node:fs'
import wabt from 'wabt'

export const SOURCE = new URL('../src/render/render.wat', import.meta.url)
export const MADE = new URL('../src/render/render.wasm', import.meta.url)

export async function assemble(source: string): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const module = parseWat('render.wat', source, { simd: true })
  try {
    module.validate()
    return module.toBinary({}).buffer
  } finally {
    module.destroy()
  }
}

if (import.meta.main) writeFileSync(MADE, await assemble(readFileSync(SOURCE, 'utf8')))
