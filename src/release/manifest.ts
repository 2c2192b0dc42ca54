/** The manifest of a release: its files, its sources, and the release before it. */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { CommandError } from '../base/errors.ts'

export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.sig'

type ReleaseFile = { name: string; size: number; sha256: string }

export type Manifest = {
  format: 1
  state: string
  /** When the newest change was loaded. */
  dataAt: string
  program: string
  /** Base64 of the Ed25519 key. */
  publicKey: string
  /** Folder name and hash of the manifest of the release before; null for the first. */
  previous: { name: string; sha256: string } | null
  files: ReleaseFile[]
  /** Imports of the state, the oldest first. */
  sources: { files: string[]; mapping: string; loadedAt: string; rows: number }[]
}

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Throws `CommandError` for a text that no release has. */
export function readManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Manifest
    const isWhole =
      manifest.format === 1 &&
      isOfForm(manifest.state, /^[A-Z]{2}$/) &&
      typeof manifest.publicKey === 'string' &&
      isOfForm(manifest.dataAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/) &&
      manifest.files.every(
        ({ name, size, sha256 }) =>
          // A name is no path: a manifest must not lead outside its folder.
          isOfForm(name, /^[\w-]+(?:\.[\w-]+)+$/) &&
          Number.isSafeInteger(size) &&
          size >= 0 &&
          isOfForm(sha256, /^[0-9a-f]{64}$/),
      )
    if (isWhole) return manifest
  } catch {
    // Below.
  }
  throw new CommandError(`${MANIFEST} is not that of a release`)
}

/** An expression alone takes a list of one text too. */
function isOfForm(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value)
}

export function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function describeFile(path: string, name: string): Promise<ReleaseFile> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return { name, size: statSync(path).size, sha256: hash.digest('hex') }
}
