import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { addressLookup } from '../operations/address-lookup.ts'
import type { ParcelReader } from '../store/store.ts'
import { answer, type Services } from './answer.ts'
import { SearchQueue } from './load/search-queue.ts'

/** Creates services over a store that never answers, and counts the lookups. */
function makeServices(isRemote: boolean) {
  const asked: string[] = []
  const parcels: Partial<ParcelReader> = {
    advice: { queued: !isRemote } as ParcelReader['advice'],
    onlyAtSitusKey: (_, key) => {
      asked.push(key)
      return new Promise(() => undefined)
    },
  }
  const account = { id: 'acc_1', name: 'One', facts: DEFAULT_FACTS }
  const services = {
    parcels,
    guard: (own: object) => own,
    keys: { recall: () => undefined, find: async () => ({ account, keyId: 'key_1' }) },
    searches: new SearchQueue(),
    auditor: { all: false, off: true },
    priceOf: () => 0,
    keyIn: (header: string) => header,
    now: () => 0,
  }
  return { asked, services: services as unknown as Services }
}

for (const { isRemote, unit, together } of [
  { isRemote: true, unit: '', together: 20 },
  { isRemote: true, unit: '&unit=4', together: 20 },
  { isRemote: false, unit: '', together: 20 },
  // A lookup with a unit may have to read any number of entries.
  { isRemote: false, unit: '&unit=4', together: 1 },
]) {
  const store = isRemote ? 'a remote' : 'a local'
  test(`${together} of 20 lookups in a turn begin, ${store} store, unit '${unit}'`, async () => {
    const { asked, services } = makeServices(isRemote)
    let turned = false
    setImmediate(() => {
      turned = true
    })
    for (let number = 1; number <= 20; number += 1) {
      const queryString = `state=WI&address=${number}%20Main%20St${unit}`
      const ask = {
        id: '1',
        authorization: 'key',
        queryString,
        gone: () => false,
        address: () => '',
      }
      void answer(addressLookup, ask, services)
    }
    // Waits for more microtasks than a lookup has, then for those that run after microtasks drain.
    for (let count = 0; count < 100; count += 1) await undefined
    await new Promise<void>((resolve) => process.nextTick(resolve))
    for (let count = 0; count < 100; count += 1) await undefined
    assert.ok(!turned)
    assert.equal(asked.length, together)
  })
}
