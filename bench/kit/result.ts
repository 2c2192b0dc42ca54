/** How a bench ends: JSON on standard output, and in a file where one is named. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function tellResult(result: unknown, out: string | undefined): void {
  const text = `${JSON.stringify(result, null, 2)}\n`
  process.stdout.write(text)
  if (out === undefined) return
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, text)
}
