/** Values that only this service can read: encrypted under the server secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { KeySecret, KeySecrets } from '../store/key-secret.ts'

const IV_LENGTH = 12
const TAG_LENGTH = 16

/** Encrypts and authenticates a value. `purpose`: only this purpose opens it. */
export function seal(secrets: KeySecrets, purpose: string, value: unknown): string {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secrets[0] as KeySecret, purpose), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** Opens a sealed value. `isOld`: an older secret sealed it. `undefined`: none of these did. */
export function openSealed<Value>(
  secrets: KeySecrets,
  purpose: string,
  sealed: string,
): { value: Value; isOld: boolean } | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  // Of the last letter some bits are not read.
  const isExact = bytes.toString('base64url') === sealed
  if (!isExact || bytes.length <= IV_LENGTH + TAG_LENGTH) return undefined
  const iv = bytes.subarray(0, IV_LENGTH)
  for (const [at, secret] of secrets.entries()) {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), iv)
    decipher.setAuthTag(bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH))
    try {
      const text = decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH))
      const value = JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as Value
      return { value, isOld: at > 0 }
    } catch {
      // Sealed with another secret, or by somebody else.
    }
  }
  return undefined
}

function keyOf({ value }: KeySecret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', value, '', `platbook ${purpose}`, 32))
}
