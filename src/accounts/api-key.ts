/** API keys: format, creation and hashing. */
import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyHash } from '../store/accounts-store.ts'
import type { KeySecret, KeySecrets } from '../store/key-secret.ts'

export const KEY_START = 'pbk_'
const SANDBOX_PREFIX = 'pbk_test_'
const MCP_PREFIX = 'pbk_mcp_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = /^pbk_(?:test_|mcp_)?[0-9A-Za-z]{38}$/
/** Random characters stored in clear to recognize a key: 24 of its 190 random bits. */
const SHOWN_LENGTH = 4

/** Creates a random key: `pbk_`, 32 random base62 characters, 6 of CRC-32 over all before. */
export function makeKey(): string {
  return keyFrom(randomBytes(32), KEY_START)
}

/** Creates a random sandbox key: the same with `pbk_test_` in front. */
export function makeSandboxKey(): string {
  return keyFrom(randomBytes(32), SANDBOX_PREFIX)
}

/** Creates a random key with the scope `mcp`: the same with `pbk_mcp_` in front. */
export function makeMcpKey(): string {
  return keyFrom(randomBytes(32), MCP_PREFIX)
}

/** Reports whether a key has the scope `mcp`: it is only answered at `/mcp`. */
export function isMcpKey(key: string): boolean {
  return key.startsWith(MCP_PREFIX)
}

/** Reports whether a key is only answered from the sandbox. Its checksum covers the prefix. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith(SANDBOX_PREFIX)
}

/** Returns the demo account's key, derived from the oldest server secret and stored nowhere. */
export function demoKey(secrets: KeySecrets): string {
  const oldest = secrets.at(-1) as KeySecret
  const bytes = createHmac('sha256', oldest.value).update('platbook demo key').digest()
  return keyFrom(bytes, KEY_START)
}

/** Reports whether a text has a key's format and checksum. */
export function isWellFormed(key: string): boolean {
  if (!SHAPE.test(key)) return false
  const body = key.slice(0, -CHECKSUM_LENGTH)
  return key.endsWith(checksum(body))
}

export function hashKey(key: string, secret: KeySecret): KeyHash {
  return { hash: createHmac('sha256', secret.value).update(key).digest(), secretId: secret.id }
}

/** Returns the first characters of a key, which lists show. */
export function prefixOf(key: string): string {
  const { length } = [SANDBOX_PREFIX, MCP_PREFIX].find((one) => key.startsWith(one)) ?? KEY_START
  return key.slice(0, length + SHOWN_LENGTH)
}

/** Reads 256 bits as one number and uses its last 32 digits; their bias is below 2^-65. */
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
