/** The questions about parcels that are each about one state. */
import type { ParcelReader } from '../../store.ts'

type StateQuestion =
  | 'byParcelId'
  | 'byAlternateId'
  | 'bySitusKey'
  | 'addressesWithPrefix'
  | 'onlyAtSitusKey'
  | 'byLooseKey'
  | 'byIds'
  | 'page'
  | 'byOwner'
  | 'ownersOf'
  | 'countOwnerKeys'
  | 'surnamesFrom'
  | 'changes'
  | 'saleTest'
  | 'tileRows'

type StateQuestions = Pick<ParcelReader, StateQuestion>

/** Sends every question of a state through `askOf`, which chooses the reader that answers it. */
export function routeByState<Reader extends StateQuestions>(
  askOf: <Result>(state: string, question: (reader: Reader) => Promise<Result>) => Promise<Result>,
): StateQuestions {
  return {
    byParcelId: (state, ...asked) => askOf(state, (one) => one.byParcelId(state, ...asked)),
    byAlternateId: (state, ...asked) => askOf(state, (one) => one.byAlternateId(state, ...asked)),
    bySitusKey: (state, ...asked) => askOf(state, (one) => one.bySitusKey(state, ...asked)),
    addressesWithPrefix: (state, ...asked) =>
      askOf(state, (one) => one.addressesWithPrefix(state, ...asked)),
    onlyAtSitusKey: (state, ...asked) => askOf(state, (one) => one.onlyAtSitusKey(state, ...asked)),
    byLooseKey: (state, ...asked) => askOf(state, (one) => one.byLooseKey(state, ...asked)),
    byIds: (state, ...asked) => askOf(state, (one) => one.byIds(state, ...asked)),
    page: (filter, ...asked) => askOf(filter.state, (one) => one.page(filter, ...asked)),
    byOwner: (search) => askOf(search.state, (one) => one.byOwner(search)),
    ownersOf: (state, ...asked) => askOf(state, (one) => one.ownersOf(state, ...asked)),
    countOwnerKeys: (state, ...asked) => askOf(state, (one) => one.countOwnerKeys(state, ...asked)),
    surnamesFrom: (state, ...asked) => askOf(state, (one) => one.surnamesFrom(state, ...asked)),
    changes: (asked) => askOf(asked.state, (one) => one.changes(asked)),
    saleTest: (state, ...asked) => askOf(state, (one) => one.saleTest(state, ...asked)),
    tileRows: (state, ids) => askOf(state, (one) => one.tileRows(state, ids)),
  }
}
