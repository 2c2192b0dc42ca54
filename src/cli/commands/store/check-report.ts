/** The report of `platbook check`, and the checks that both stores share. */
import { existsSync } from 'node:fs'
import { verifyLedger } from '../../../ledger/verify.ts'
import { sendBrokenChain } from '../../../notify/broken-chain.ts'
import { renderParcel } from '../../../render/render.ts'
import type { Config } from '../../../settings/config.ts'
import type { LedgerStore } from '../../../store/accounts-store.ts'
import type { KeptHeads } from '../../../store/heads.ts'
import { loadSecrets, secretPath } from '../../../store/key-secret.ts'
import type { RollPlace } from '../../../store/postgres/check/rolls.ts'
import type { StoredParcel } from '../../../store/store.ts'
import type { CommandIo } from '../../command.ts'
import { describeBroken } from '../accounts/ledger.ts'

/** `where`: a file or a server. */
type Finding = { where: string; problem: string }
/** `places`: for PostgreSQL, the servers and nodes with their content. */
export type Report = {
  findings: Finding[]
  parcels: number
  accounts: number
  ledgerRows: number
  places?: RollPlace[]
  /** Servers without page checksums. */
  unsummed?: string[]
}

/** Verifies the ledger and records faults. `noted`: heads recorded outside the store. */
export async function checkLedger(
  io: CommandIo,
  ledger: LedgerStore,
  noted: KeptHeads[],
  report: Report,
  find: (problem: string) => void,
): Promise<void> {
  const { rows, bad } = await verifyLedger(ledger, { noted })
  report.ledgerRows = rows
  if (bad === undefined) return
  const problem = describeBroken(bad)
  find(problem)
  await sendBrokenChain(io, problem)
}

/** Reports whether both layouts of a record are valid JSON. */
export function canBeShown(parcel: StoredParcel): boolean {
  try {
    JSON.parse(renderParcel(parcel, 'nested'))
    JSON.parse(renderParcel(parcel, 'flat'))
    return true
  } catch {
    return false
  }
}

/** A backup without its secret looks complete but rejects every key. */
export function checkSecrets(config: Config, keysBySecret: Map<string, number>): string[] {
  const { data, keySecret } = config
  // `loadSecrets` would create one.
  const missing = keySecret === null && !existsSync(secretPath(data))
  const known = missing ? [] : loadSecrets(data, keySecret)
  const ids = new Set(known.map(({ id }) => id))
  const lost = [...keysBySecret].filter(([id]) => !ids.has(id))
  const keys = lost.reduce((sum, [, count]) => sum + count, 0)
  return keys === 0
    ? []
    : [`${keys} valid keys are hashed under a secret that is not there; they answer 401`]
}

export function showProgress(io: CommandIo, line: string): void {
  if (io.terminal) io.report(line)
}
