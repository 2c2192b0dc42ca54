/** An account's usage by day, as a plot and as a table with the same numbers. */
import { DAY_MS } from '../../base/days.ts'
import type { AccountAdmin } from '../../store/accounts/admin.ts'
import type { UsageDay } from '../../store/accounts-store.ts'
import { type Html, html } from './html.ts'
import { type Column, showTable } from './parts.ts'
import { countOf, showCount, showOperation } from './words.ts'

const DAYS = 90

type UsagePlot = {
  /** Every day, the oldest first: `YYYY-MM-DD`. */
  days: string[]
  /** Requests of each operation on each of those days. */
  operations: { name: string; title: string; requests: number[]; tokens: number[] }[]
}

/** The last 90 days in UTC, today among them. */
export async function usageOf(admin: AccountAdmin, id: string, now: number): Promise<UsagePlot> {
  const days = Array.from({ length: DAYS }, (_, at) =>
    new Date(now - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )
  const used = await admin.usageSince(id, days[0] ?? '')
  const names = [...new Set(used.map(({ endpoint }) => endpoint))].sort()
  return {
    days,
    operations: names.map((name) => ({
      name,
      title: showOperation(name),
      requests: days.map((day) => find(used, day, name)?.requests ?? 0),
      tokens: days.map((day) => find(used, day, name)?.tokens ?? 0),
    })),
  }
}

/** `source`: where the plot's script fetches the same numbers. */
export function showUsage({ days, operations }: UsagePlot, source: string): Html {
  if (operations.length === 0) return html`<p>Nothing was charged in these days.</p>`
  const used = days.flatMap((day, at) =>
    operations.some(({ requests, tokens }) => requests[at] !== 0 || tokens[at] !== 0)
      ? [{ day, at }]
      : [],
  )
  const table = showTable(used.reverse(), [
    ['Day', ({ day }) => day],
    ...operations.map(
      ({ title, requests, tokens }): Column<{ at: number }> => [
        title,
        ({ at }) =>
          html`${showCount(requests[at] ?? 0)} <small>${countOf(tokens[at] ?? 0, 'token')}</small>`,
        'number',
      ],
    ),
  ])
  return html`<div class="plot" data-usage="${source}" role="img"
  aria-label="Requests by day and operation; the table below has the numbers"></div>
<details><summary>As a table</summary>${table}</details>`
}

function find(used: UsageDay[], day: string, name: string): UsageDay | undefined {
  return used.find((entry) => entry.day === day && entry.endpoint === name)
}
