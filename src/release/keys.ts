/** Ed25519 keys of releases: a private one in PEM, a public one as 32 bytes in base64. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { CommandError } from '../base/errors.ts'

/** The bytes before the key in its DER form. Source: RFC 8410. */
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

export function makeKeys(): { pem: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { pem, publicKey: publicOf(privateKey) }
}

/** Reads a private key. Throws `CommandError`; its text shows nothing of the key. */
export function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The same sentence for a damaged key and for one of another kind.
  }
  throw new CommandError('the key of releases is not an Ed25519 key in PEM')
}

export function publicOf(privateKey: KeyObject): string {
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return der.subarray(DER_HEAD.length).toString('base64')
}

/** Returns the text of a signature file. */
export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string {
  return `${sign(null, bytes, privateKey).toString('base64')}\n`
}

/** Reports whether a signature file is exactly that of some bytes. */
export function isSigned(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  const raw = Buffer.from(publicKey, 'base64')
  const own = Buffer.from(signature, 'base64')
  // Other texts decode to the same bytes.
  if (raw.length !== 32 || `${own.toString('base64')}\n` !== signature) return false
  const key = createPublicKey({
    ...{ key: Buffer.concat([DER_HEAD, raw]), format: 'der', type: 'spki' },
  })
  return verify(null, bytes, key, own)
}
