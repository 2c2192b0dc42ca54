/** Transactions of the billing store in PostgreSQL. */
import type { Row } from '../accounts/account-rows.ts'
import { type BillingStore, createBillingStore } from '../billing-store.ts'
import { RAISE } from './accounts.ts'
import { createOperatorLog, LOCK_LOG } from './operator-log.ts'
import type { Flight, Session } from './pool/session.ts'

export function createPostgresBilling(
  session: Session,
  now: () => number = Date.now,
): BillingStore {
  return createBillingStore((work) =>
    session.transaction([LOCK_LOG], async (_rows, client) => {
      let closing: Flight = []
      const result = await work({
        run: async (text, values) => (await client.query(text, values)).rows as Row[],
        async accountChanged(id) {
          const log = await createOperatorLog(client, now)
          await log.log('account', id)
          closing = [...log.flight(), ...RAISE]
        },
      })
      return { closing, result }
    }),
  )
}
