/** How often a source is published anew, and whether it is time to ask again. */

const DAY_MS = 86_400_000
/** A timer may start a little early: a source is due an hour before its time. */
const SLACK_MS = 3_600_000
/** Days between two looks at a source that does not say how often it changes. */
const UNTOLD_DAYS = 30

/** Words of `updates` and their days; the first that the text holds counts. */
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
 * Days between two publications, from the text of a source's `updates`: `weekly`, `quarterly`,
 * `10 days`. The shortest of several words counts. A text that says nothing of the kind, or none:
 * 30.
 */
export function readPeriodDays(updates: string | undefined): number {
  const text = (updates ?? '').toLowerCase()
  const days = /\b(\d{1,4}) days?\b/.exec(text)?.[1]
  if (days !== undefined && Number(days) > 0) return Number(days)
  const found = WORDS.filter(([word]) => word.test(text)).map(([, period]) => period)
  return found.length === 0 ? UNTOLD_DAYS : Math.min(...found)
}

/**
 * Whether a source is to be asked again. Times in epoch milliseconds; `checkedAt` null: it never
 * was.
 */
export function isDue(updates: string | undefined, checkedAt: number | null, now: number): boolean {
  return checkedAt === null || now - checkedAt >= readPeriodDays(updates) * DAY_MS - SLACK_MS
}
