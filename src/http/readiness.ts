/** Whether the stores answer, for `/readyz`. */
import type { AccountReader } from '../store/accounts-store.ts'
import type { ParcelReader } from '../store/store.ts'

/** How long an answer is valid, and how long a store may take for it, in milliseconds. */
const VALID_MS = 500
const ANSWER_MS = 1_000

type Stores = { parcels: Pick<ParcelReader, 'version'>; accounts: Pick<AccountReader, 'version'> }

/** Reports whether both stores answer, twice a second at most. `now`: monotonic milliseconds. */
export function watchReadiness(
  { parcels, accounts }: Stores,
  now: () => number,
): () => Promise<boolean> {
  let asked: { at: number; answer: Promise<boolean> } | undefined
  async function ask(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ANSWER_MS)
    })
    const both = Promise.all([parcels.version(), accounts.version()])
    const answers = both.then(
      () => true,
      () => false,
    )
    return Promise.race([answers, late]).finally(() => clearTimeout(timer))
  }
  return () => {
    if (asked === undefined || now() - asked.at > VALID_MS) asked = { at: now(), answer: ask() }
    return asked.answer
  }
}
