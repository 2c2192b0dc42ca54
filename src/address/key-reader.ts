/** The reader of keys that the steps of a lookup share. */
import type { TailReading } from '../base/model/address.ts'
import type { ParcelReader, ReadAdvice, SitusHit } from '../store/store.ts'
import type { LookupTrace } from './trace.ts'

export type AddressReader = Pick<ParcelReader, 'bySitusKey' | 'byLooseKey'> & {
  advice: Pick<ReadAdvice, 'ahead'>
}

export type KeyReader = Omit<AddressReader, 'advice'> & { trace?: LookupTrace | undefined }
export type Hits = Promise<SitusHit[]>

/** Caches the store's answers, because several steps look up the same key. */
export function rememberKeys(reader: AddressReader): KeyReader {
  const [situs, loose] = [new Map<string, Hits>(), new Map<string, Hits>()]
  const once = (known: Map<string, Hits>, key: string, ask: () => Hits) => {
    const found = known.get(key) ?? ask()
    known.set(key, found)
    return found
  }
  return {
    bySitusKey: (state, key) => once(situs, key, () => reader.bySitusKey(state, key)),
    byLooseKey: (state, key) => once(loose, key, () => reader.byLooseKey(state, key)),
  }
}

/**
 * Starts the lookups of all steps at once, because a round trip costs more than an unused answer.
 * The steps then get the answers from the cache of `keys`.
 */
export function startAllLookups(state: string, readings: TailReading[], keys: KeyReader): void {
  for (const { address } of readings) {
    const asked = [
      ...(address.key === '' ? [] : [keys.bySitusKey(state, address.key)]),
      ...(address.looseKey === '' ? [] : [keys.byLooseKey(state, address.looseKey)]),
    ]
    // An error is thrown where a step awaits the answer, not as an unhandled rejection.
    for (const one of asked) one.catch(() => undefined)
  }
}
