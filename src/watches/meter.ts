/** Charges and audits deliveries: an event that is sent costs and is noted as one that is read. */
import { gate } from '../accounts/billing-gate.ts'
import type { Account } from '../base/model/account.ts'
import { makeIdempotency } from '../ledger/idempotency.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { presetPrice } from '../operations/operation.ts'
import { watchEvents } from '../operations/watches/operations.ts'
import { seenIn, type WatchEvent } from '../operations/watches/show-event.ts'
import { openAuditor } from '../privacy/audit.ts'
import type { Config } from '../settings/config.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import { loadSecrets } from '../store/key-secret.ts'

const { operation } = watchEvents

type Sent = { account: Account; watchId: string; deliveryId: string; events: readonly WatchEvent[] }

export type Meter = ReturnType<typeof openMeter>

/** `now`: epoch milliseconds. */
export function openMeter(
  { prices, audit, data, keySecret }: Pick<Config, 'prices' | 'audit' | 'data' | 'keySecret'>,
  accounts: Pick<AccountReader, 'prices' | 'tokenUse'>,
  { ledger, now }: { ledger: Ledger; now(): number },
) {
  const auditor = openAuditor(audit, loadSecrets(data, keySecret))
  const { operationId } = operation

  async function costOf({ events }: Sent): Promise<number> {
    const price = (await accounts.prices()).get(operationId) ?? presetPrice(operation, prices)
    return price * events.length
  }

  return {
    /** Returns why an account may not have these events; `undefined`: it may. */
    async refuse(sent: Sent) {
      const { id, facts } = sent.account
      return gate(facts, await accounts.tokenUse(id), await costOf(sent), now())
    },
    /** Notes in the audit which parcels are sent. Called before each attempt. */
    note({ account, watchId, deliveryId, events }: Sent) {
      if (auditor.off) return
      const caller = { account, keyId: watchId }
      ledger.noteAudit([
        auditor.note(operation, { id: deliveryId, queryString: watchId }, caller, seenIn(events)),
      ])
    },
    /** Charges events that have arrived, once. `false`: it is not sure that they were charged. */
    async charge(sent: Sent) {
      const { account, watchId, deliveryId } = sent
      const cost = await costOf(sent)
      if (cost === 0) return true
      const outcome = await ledger.charge({
        ...{ requestId: deliveryId, accountId: account.id, keyId: watchId, cost },
        endpoint: operationId,
        idempotency: makeIdempotency(account.id, deliveryId, operationId, watchId),
      })
      return outcome.kind !== 'unavailable'
    },
  }
}
