/** Operators' passphrases, stored as scrypt hashes. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { CommandError } from '../../base/errors.ts'

/** About 60 ms and 32 MiB per check. */
const COST = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const HASH_BYTES = 32
const LENGTH_MIN = 12
const LENGTH_MAX = 1000

type PassphraseHash = { salt: Uint8Array; hash: Uint8Array }

/** Throws `CommandError` for a passphrase that is too short or too long. */
export async function hashPassphrase(passphrase: string): Promise<PassphraseHash> {
  if (passphrase.length < LENGTH_MIN || passphrase.length > LENGTH_MAX) {
    throw new CommandError(`a passphrase has ${LENGTH_MIN} to ${LENGTH_MAX} characters`, 2)
  }
  const salt = randomBytes(16)
  return { salt, hash: await derive(passphrase, salt) }
}

/** Takes the same time for an unknown operator, so that the time does not reveal names. */
export async function checkPassphrase(
  passphrase: string,
  kept: PassphraseHash | undefined,
): Promise<boolean> {
  const hash = await derive(passphrase.slice(0, LENGTH_MAX), kept?.salt ?? NO_SALT)
  return kept !== undefined && timingSafeEqual(hash, kept.hash)
}

/** Four groups of five letters and digits: 100 random bits. */
export function makePassphrase(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const digits = Array.from(randomBytes(20), (byte) => letters.charAt(byte % 32)).join('')
  return (digits.match(/.{5}/g) ?? []).join('-')
}

const NO_SALT = Buffer.alloc(16)

function derive(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}
