/** Formats numbers, dates and names for pages. */
import { openWords } from '../../base/tables.ts'
import { BATCH } from '../../operations/batch.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import { watchEvents } from '../../operations/watches/operations.ts'
import { countyTitle } from '../../regions/counties.ts'

/** What pages call things, by the title of a list. */
export const wordsOf = openWords('console-words.tsv')

export type FlatRecord = Record<string, unknown>

/** A count with commas between thousands: `12,345`. */
export function showCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** `1 parcel`, `2,000 parcels`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`
}

export function showDollars(amount: unknown): string | undefined {
  return typeof amount === 'number' ? `$${Math.round(amount).toLocaleString('en-US')}` : undefined
}

/** `20230307` or `2023-03-07…` → `7 March 2023`. */
export function showDate(text: unknown): string | undefined {
  const found = typeof text === 'string' ? /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) : null
  if (found === null) return undefined
  const month = MONTHS[Number(found[2]) - 1]
  return month === undefined ? undefined : `${Number(found[3])} ${month} ${found[1]}`
}

/** Epoch milliseconds → `20 May 2026, 12:00 UTC`. */
export function showTime(at: number | null): string {
  if (at === null) return '–'
  const text = new Date(at).toISOString()
  return `${showDate(text)}, ${text.slice(11, 16)} UTC`
}

/** How long ago, in the largest unit that fits. */
export function showAge(at: number, now: number): string {
  const days = Math.floor((now - at) / 86_400_000)
  if (days < 1) return 'today'
  if (days < 60) return days === 1 ? 'yesterday' : `${days} days ago`
  const months = Math.round(days / 30.4)
  return months < 24 ? `${months} months ago` : `${Math.round(days / 365.25)} years ago`
}

/** `SAN DIEGO` → `San Diego`; for names that rolls write in capitals. */
export function showName(text: string): string {
  return text.toLowerCase().replace(/(^|[\s'.-])\p{L}/gu, (start) => start.toUpperCase())
}

/** Returns a county's usual name by its FIPS code: `DuPage`. */
export function showCounty(fips: number): string {
  return countyTitle(fips) ?? String(fips)
}

/** `DuPage, IL`. */
export function nameCounty({ fips, state }: { fips: number; state: string }): string {
  return `${showCounty(fips)}, ${state}`
}

/** `dataReads` → `data reads`, `zipCode` → `ZIP code`. */
export function showField(name: string): string {
  return name
    .replace(/([a-z])([A-Z\d])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(?:id|zip|fips)\b/g, (word) => word.toUpperCase())
}

/** All that is charged. */
export const PRICED = [...OPERATIONS, BATCH, watchEvents.operation]

/** What an operation of the API does: `premiumOwnerSearch` → `Premium owner search`. */
export function showOperation(operationId: string): string {
  return PRICED.find((one) => one.operationId === operationId)?.summary ?? operationId
}

/** A size in the largest unit that leaves at least 1: `3.4 MB`. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const at = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
]
