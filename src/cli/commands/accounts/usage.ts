/** Command: usage. Tokens used by accounts, by day. */
import { needAccount, readAccounts } from '../../../accounts/accounts-data.ts'
import type { Period } from '../../../accounts/period.ts'
import { standingOf } from '../../../accounts/standing.ts'
import { DAY_MS } from '../../../base/days.ts'
import type { AccountRecord, UsageDay } from '../../../store/accounts-store.ts'
import { command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

const BARS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
/** In longer periods a bar shows several days. */
const PLOT_WIDTH = 62

export const usage = command('usage', async ({ positionals }, io) => {
  const [id] = positionals
  const accounts = await readAccounts(io, async ({ admin, reader }) => {
    const chosen = id === undefined ? await admin.accounts() : [await needAccount(admin, id)]
    return Promise.all(
      chosen.map(async (account) => {
        const standing = standingOf(account.facts, await reader.tokenUse(account.id), io.now())
        const days = await reader.usageByDay(account.id, standing.period.start)
        return { account, standing, days }
      }),
    )
  })
  const shown = accounts.map((entry) => showUsage(entry.account, entry.standing, entry.days))
  const lines = accounts.flatMap(({ account, standing, days }) => {
    const { period, used, remaining } = standing
    const head = [
      `${account.id}  ${account.name}`,
      `  ${period.start} to ${period.end}  used ${used}, left ${remaining ?? '∞'}, ` +
        `requests ${days.reduce((sum, { requests }) => sum + requests, 0)}`,
      ...(days.length === 0 ? [] : [`  ${plotDays(period, days)}`]),
    ]
    if (days.length === 0 || id === undefined) return head
    const rows = days.map((day) => [
      day.day,
      day.endpoint,
      String(day.requests),
      String(day.tokens),
    ])
    const headings = ['DAY', 'ENDPOINT', 'REQUESTS', 'TOKENS']
    const table = formatTable(headings, rows, ['REQUESTS', 'TOKENS'])
    return [...head, ...table.map((line) => `  ${line}`)]
  })
  printResult(io, { accounts: shown }, lines)
})

/** Plots a bar per day of the period, or per several days; the fullest has the highest bar. */
export function plotDays({ start, end }: Period, days: UsageDay[]): string {
  const first = Date.parse(start)
  const length = Math.max(1, (Date.parse(end) - first) / DAY_MS)
  const daysPerBar = Math.ceil(length / PLOT_WIDTH)
  const sums = new Array<number>(Math.ceil(length / daysPerBar)).fill(0)
  for (const { day, requests } of days) {
    const bar = Math.floor((Date.parse(day) - first) / DAY_MS / daysPerBar)
    // Days outside their period, after a clock was set back, are added to the nearest bar.
    const place = Math.min(sums.length - 1, Math.max(0, bar))
    sums[place] = (sums[place] ?? 0) + requests
  }
  const most = Math.max(1, ...sums)
  const bars = sums.map((sum) => BARS[Math.ceil((sum / most) * (BARS.length - 1))])
  return `${bars.join('')}| ${most} at most in ${daysPerBar === 1 ? 'a day' : `${daysPerBar} days`}`
}

function showUsage(
  { id, name, facts }: AccountRecord,
  { period, used, remaining }: ReturnType<typeof standingOf>,
  days: UsageDay[],
) {
  const { includedTokens, overageCap } = facts
  return { id, name, period, includedTokens, overageCap, used, remaining, days }
}
