/** Checks the triggers of the account tables in PostgreSQL. */
import type { Ask } from '../accounts/database.ts'

/** Each trigger of the baseline, with its table and the required text of its function. */
const TRIGGERS: Record<string, string> = {
  ledger_stays_whole: 'ledger',
  ledger_head_stays: 'ledger_head',
  operator_log_stays_whole: 'operator_log',
  audit_stays_unchanged: 'audit',
  audit_is_trimmed_only: 'audit',
}
const FUNCTION_RAISES = /^\s*BEGIN\s+RAISE EXCEPTION '[^']+';\s*END\s*$/

/** Returns a trigger that is missing, disabled, or different from the baseline. */
export async function findWrongTrigger(ask: Ask): Promise<string | undefined> {
  const rows = await ask<{ name: string; on: string; enabled: string; source: string }>(
    `SELECT t.tgname AS name, c.relname AS on, t.tgenabled AS enabled, p.prosrc AS source
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  )
  const whole = rows.filter(
    ({ on, enabled, source, name }) =>
      TRIGGERS[name] === on && enabled === 'O' && FUNCTION_RAISES.test(source),
  )
  const names = new Set(whole.map(({ name }) => name))
  return Object.keys(TRIGGERS).find((name) => !names.has(name))
}
