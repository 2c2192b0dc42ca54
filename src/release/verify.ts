/** Checks a release byte by byte, in a folder or on the web. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isSigned } from './keys.ts'
import { hashOf, MANIFEST, type Manifest, readManifest, SIGNATURE } from './manifest.ts'

type Verified = {
  manifest: Manifest
  /** Whether the signature is that of a key that the caller named. */
  isPinned: boolean
  /** The release before: its hash fits, or it was not there to be compared. */
  previous: 'none' | 'fits' | 'absent'
}

const TEXT_BYTES_MAX = 4_194_304
const ANSWER_MS = 60_000

/** Where a release lies. `undefined`: there is no such file. */
type Place = {
  text(name: string): Promise<string | undefined>
  /** Bytes of a file, as they come. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Names that lie there; `undefined` when they cannot be listed. */
  names: string[] | undefined
}

/** Throws `CommandError` that names what differs. `key`: a public key that must have signed it. */
export function verifyFolder(folder: string, key: string | undefined): Promise<Verified> {
  const path = (name: string) => join(folder, name)
  if (!existsSync(folder)) throw new CommandError(`${folder} does not exist`)
  return verify(
    {
      text: async (name) =>
        existsSync(path(name)) ? readFileSync(path(name), 'latin1') : undefined,
      read: async (name) => (existsSync(path(name)) ? createReadStream(path(name)) : undefined),
      names: readdirSync(folder),
    },
    key,
    basename(dirname(resolve(folder))) === '' ? undefined : dirname(resolve(folder)),
  )
}

/** As `verifyFolder`. Files that nobody lists cannot be found on the web. */
export function verifyAddress(address: string, key: string | undefined): Promise<Verified> {
  const root = address.replace(/\/(?:manifest\.json)?$/, '')
  const get = async (name: string) => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(`${root}/${name}`, { signal }).catch((error: unknown) => {
      throw new CommandError(`${root} cannot be reached`, 1, error)
    })
    return answer.ok && answer.body !== null ? answer.body : undefined
  }
  return verify(
    {
      read: get,
      names: undefined,
      async text(name) {
        const body = await get(name)
        if (body === undefined) return undefined
        const parts: Uint8Array[] = []
        let size = 0
        for await (const part of body) {
          size += part.length
          if (size > TEXT_BYTES_MAX) throw new CommandError(`${name} is too long`)
          parts.push(part)
        }
        return Buffer.concat(parts).toString('latin1')
      },
    },
    key,
    undefined,
  )
}

async function verify(
  place: Place,
  key: string | undefined,
  siblings: string | undefined,
): Promise<Verified> {
  // Latin-1 keeps every byte, so that none changes unseen.
  const [text, signature] = [await place.text(MANIFEST), await place.text(SIGNATURE)]
  if (text === undefined) throw new CommandError(`${MANIFEST} is missing`)
  if (signature === undefined) throw new CommandError(`${SIGNATURE} is missing`)
  const bytes = Buffer.from(text, 'latin1')
  const manifest = readManifest(bytes.toString())
  if (!isSigned(bytes, signature, key ?? manifest.publicKey)) {
    throw new CommandError(
      key === undefined
        ? `${MANIFEST} or ${SIGNATURE} was changed: the signature does not fit`
        : 'the signature is not that of the given key',
    )
  }
  const known = new Set([MANIFEST, SIGNATURE, ...manifest.files.map(({ name }) => name)])
  const added = place.names?.filter((name) => !known.has(name)) ?? []
  if (added.length > 0) throw new CommandError(`not in the manifest: ${added.join(', ')}`)
  for (const file of manifest.files) await verifyFile(place, file)
  return {
    manifest,
    isPinned: key !== undefined,
    previous: verifyPrevious(manifest, siblings),
  }
}

async function verifyFile(place: Place, { name, size, sha256 }: Manifest['files'][number]) {
  const bytes = await place.read(name)
  if (bytes === undefined) throw new CommandError(`${name} is missing`)
  const hash = createHash('sha256')
  let length = 0
  for await (const part of bytes) {
    length += part.length
    if (length > size) break
    hash.update(part)
  }
  if (length !== size || hash.digest('hex') !== sha256) {
    throw new CommandError(`${name} was changed: it is not what the manifest says`)
  }
}

/** Throws `CommandError` when the release before lies there and is another one. */
function verifyPrevious({ previous }: Manifest, siblings: string | undefined) {
  if (previous === null) return 'none'
  if (siblings === undefined || !/^[\w.-]+$/.test(previous.name)) return 'absent'
  const path = join(siblings, previous.name, MANIFEST)
  if (!existsSync(path)) return 'absent'
  if (hashOf(readFileSync(path)) === previous.sha256) return 'fits'
  throw new CommandError(`the chain is broken: ${previous.name} is not the release before this one`)
}
