/** API keys: how they look, how they are made, and how they are hashed. */
import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyHash } from '../store/accounts-store.ts'
import type { KeySecret, KeySecrets } from '../store/key-secret.ts'

const PREFIX = 'pbk_'
const SANDBOX_PREFIX = 'pbk_test_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = /^pbk_(?:test_)?[0-9A-Za-z]{38}$/
/** Random characters kept in the clear to tell a key by: 24 of its 190 random bits. */
const SHOWN_LENGTH = 4

/** A new random key: `pbk_`, 32 random base62 characters, 6 of CRC-32 over all before. */
export function makeKey(): string {
  return keyFrom(randomBytes(32), PREFIX)
}

/** A new random sandbox key: the same with `pbk_test_` in front. */
export function makeSandboxKey(): string {
  return keyFrom(randomBytes(32), SANDBOX_PREFIX)
}

/** Whether a key is answered from the sandbox alone. Its checksum covers the prefix. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith(SANDBOX_PREFIX)
}

/**
 * The key of the demo account: the same for the same server secret, so that it can be shown at
 * every start and is stored nowhere. Made of the oldest secret, which a rotation of secrets leaves
 * in place.
 */
export function demoKey(secrets: KeySecrets): string {
  const oldest = secrets.at(-1) as KeySecret
  const bytes = createHmac('sha256', oldest.value).update('platbook demo key').digest()
  return keyFrom(bytes, PREFIX)
}

/** Whether a text has a key's shape and its checksum is right. */
export function isWellFormed(key: string): boolean {
  if (!SHAPE.test(key)) return false
  const body = key.slice(0, -CHECKSUM_LENGTH)
  return key.endsWith(checksum(body))
}

/** What is kept of a key. */
export function hashKey(key: string, secret: KeySecret): KeyHash {
  return { hash: createHmac('sha256', secret.value).update(key).digest(), secretId: secret.id }
}

/** The first characters of a key, by which lists show it. */
export function prefixOf(key: string): string {
  const { length } = isSandboxKey(key) ? SANDBOX_PREFIX : PREFIX
  return key.slice(0, length + SHOWN_LENGTH)
}

/**
 * 256 bits are read as one number of which the last 32 digits count: what is uneven in that is
 * below 2^-65.
 */
function keyFrom(bytes: Buffer, prefix: string): string {
  const body = prefix + toBase62(BigInt(`0x${bytes.toString('hex')}`), RANDOM_LENGTH)
  return body + checksum(body)
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_LENGTH)
}

function toBase62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits
  }
  return digits
}
