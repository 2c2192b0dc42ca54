/** The files of a database's migrations. */
import { readdirSync } from 'node:fs'

/**
 * Lists `001-….sql`, `002-….sql` and so on of a folder, whose address ends in `/`. A file's number
 * is the version that it creates. Throws an error if a number is missing.
 */
export function listMigrationFiles(folder: URL): URL[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
  names.forEach((name, index) => {
    if (Number(name.slice(0, 3)) !== index + 1) throw new Error(`migration out of order: ${name}`)
  })
  return names.map((name) => new URL(name, folder))
}
