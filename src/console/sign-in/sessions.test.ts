import assert from 'node:assert/strict'
import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, mock, test } from 'node:test'
import type { ConsoleStore } from '../../store/console-store.ts'
import { createSessions } from './sessions.ts'

type Derived = (error: Error | null, key: Buffer) => void

/** A try costs 60 ms of processor time otherwise; tests of the console sign in for real. */
const cheap = mock.method(
  crypto,
  'scrypt',
  (words: string, salt: Uint8Array, bytes: number, _: ScryptOptions, done: Derived) =>
    done(null, crypto.scryptSync(words, salt, bytes, { N: 2 })),
)
syncBuiltinESMExports()
after(() => {
  cheap.mock.restore()
  syncBuiltinESMExports()
})

/** Passphrases are never compared, because the store knows no operator. */
function open() {
  const store = { operator: () => undefined } as unknown as ConsoleStore
  let at = 0
  const sessions = createSessions(store, () => at)
  return {
    passTime: (ms: number) => {
      at += ms
    },
    try: async (name: string, address: string) =>
      (await sessions.signIn(name, 'wrong', address)).outcome,
  }
}

test('five tries with one name from one address are all, and another address may try', async () => {
  const { try: attempt } = open()
  for (let at = 0; at < 5; at += 1) assert.equal(await attempt('vera', '10.0.0.1'), 'refused')
  assert.equal(await attempt('vera', '10.0.0.1'), 'too-many')
  assert.equal(await attempt('otto', '10.0.0.1'), 'refused', 'another operator behind a proxy')
  assert.equal(await attempt('vera', '10.0.0.2'), 'refused')
})

test('other names do not clear the limit, and refused tries do not lengthen it', async () => {
  const { try: attempt, passTime } = open()
  for (let at = 0; at < 5; at += 1) await attempt('vera', '10.0.0.1')
  for (let at = 0; at < 55; at += 1) await attempt(`name ${at}`, '10.0.0.1')
  assert.equal(await attempt('vera', '10.0.0.1'), 'too-many')
  assert.equal(await attempt('otto', '10.0.0.1'), 'too-many', 'sixty tries of an address')
  passTime(59_999)
  assert.equal(await attempt('vera', '10.0.0.1'), 'too-many')
  passTime(1)
  assert.equal(await attempt('vera', '10.0.0.1'), 'refused')
})
