/** Billing periods in UTC days: calendar months, or an account's own dates, which repeat. */
import { DAY_MS } from '../base/days.ts'
import type { AccountFacts, TokenUse } from '../base/model/account.ts'

/** First day, and the day after the last one, `YYYY-MM-DD`. */
export type Period = { start: string; end: string }

type PeriodFacts = Pick<AccountFacts, 'periodStart' | 'periodEnd'>

/**
 * Returns the billing period that contains a time (epoch milliseconds). An account's own period
 * repeats before and after its dates: by whole months if both are the same day of the month (or a
 * shorter month's last day), otherwise by days. docs/decisions/periods-and-credits.md.
 */
export function periodAt(facts: PeriodFacts, now: number): Period {
  const { periodStart, periodEnd } = facts
  const day = Math.floor(now / DAY_MS)
  const { latest } = memory
  const isLatest =
    latest.day === day && latest.periodStart === periodStart && latest.periodEnd === periodEnd
  if (isLatest) return latest.period
  const period = computePeriod(periodStart, periodEnd, now)
  memory.latest = { day, periodStart, periodEnd, period }
  return period
}

/** The last result: most calls have the account and day of the call before them. */
const memory: { latest: PeriodFacts & { day: number; period: Period } } = {
  latest: { day: Number.NaN, periodStart: null, periodEnd: null, period: { start: '', end: '' } },
}

function computePeriod(periodStart: string | null, periodEnd: string | null, now: number): Period {
  if (periodStart === null || periodEnd === null) return byMonths(0, 1, now)
  const start = Date.parse(periodStart)
  const end = Date.parse(periodEnd)
  const months = monthsBetween(start, end)
  // The 31st is the last day of shorter months: 31 January to 28 February, and back.
  const day = Math.max(dayOf(start), dayOf(end))
  const isWhole = addMonths(start, 0, day) === start && addMonths(start, months, day) === end
  return months > 0 && isWhole
    ? byMonths(start, months, now, day)
    : byLength(start, end - start, now)
}

/**
 * Returns the use that counts at a time: 0 when a newer period has begun than the newest charged
 * one. A clock set back returns to no earlier period.
 */
export function useAt(facts: PeriodFacts, newest: TokenUse | undefined, now: number): TokenUse {
  const { start } = periodAt(facts, now)
  return newest !== undefined && newest.period >= start ? newest : { period: start, used: 0 }
}

/** Returns the UTC date of a time, `YYYY-MM-DD`. */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function byLength(anchor: number, lengthMs: number, now: number): Period {
  const start = anchor + Math.floor((now - anchor) / lengthMs) * lengthMs
  return { start: dateOf(start), end: dateOf(start + lengthMs) }
}

/** `day`: of the month on which periods begin. */
function byMonths(anchor: number, step: number, now: number, day = dayOf(anchor)): Period {
  let turn = Math.floor(monthsBetween(anchor, now) / step)
  if (now < addMonths(anchor, turn * step, day)) turn -= 1
  const start = addMonths(anchor, turn * step, day)
  return { start: dateOf(start), end: dateOf(addMonths(anchor, (turn + 1) * step, day)) }
}

function dayOf(date: number): number {
  return new Date(date).getUTCDate()
}

function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)]
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
}

/** Returns that day of a month after the anchor's, or the month's last day. */
function addMonths(anchor: number, months: number, day: number): number {
  const date = new Date(anchor)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, lastDay))
}
