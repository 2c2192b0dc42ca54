/** Derives how often a source is published, and whether it is due for another look. */
import { DAY_MS } from '../../base/days.ts'

/** A timer may start a little early, so a source is due an hour before its time. */
const SLACK_MS = 3_600_000
/** Days between checks of a source whose update period is unknown. */
const DEFAULT_DAYS = 30

/** Words in `updates` with their days; the first that matches counts. */
const WORDS: readonly [RegExp, number][] = [
  [/\b(?:hourly|daily|nightly|every (?:day|night))\b/, 1],
  [/\b(?:biweekly|fortnightly|every two weeks)\b/, 14],
  [/\b(?:weekly|every week)\b/, 7],
  [/\b(?:twice a year|semi-?annual(?:ly)?|half-?yearly)\b/, 182],
  [/\b(?:quarterly|every quarter)\b/, 91],
  [/\b(?:bimonthly|every two months)\b/, 61],
  [/\b(?:monthly|every month)\b/, 30],
  [/\b(?:yearly|annual(?:ly)?|every year|once a year)\b/, 365],
]

/**
 * Reads the days between two publications from a source's `updates`: `weekly`, `quarterly`, `10
 * days`. The shortest of several counts; 30 when there is none.
 */
export function readPeriodDays(updates: string | undefined): number {
  const text = (updates ?? '').toLowerCase()
  const days = /\b(\d{1,4}) days?\b/.exec(text)?.[1]
  if (days !== undefined && Number(days) > 0) return Number(days)
  const found = WORDS.filter(([word]) => word.test(text)).map(([, period]) => period)
  return found.length === 0 ? DEFAULT_DAYS : Math.min(...found)
}

/** Whether a source is due. Epoch milliseconds; `checkedAt`: null before the first look. */
export function isDue(updates: string | undefined, checkedAt: number | null, now: number): boolean {
  return checkedAt === null || now - checkedAt >= readPeriodDays(updates) * DAY_MS - SLACK_MS
}
