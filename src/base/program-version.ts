/** The version of the program, from package.json. */
import { readFileSync } from 'node:fs'

export const { version: PROGRAM_VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }
