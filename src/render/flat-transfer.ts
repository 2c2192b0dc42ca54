/** Transfers of which the flat layout shows values next to the other fields. */
import { ITEM_PROPERTIES } from '../record/parcel.ts'
import { slotOf } from '../record/stored.ts'
import { MIDNIGHT } from './derived.ts'
import { cutItem, type ItemKey } from './lists.ts'
import { bytes, Spans } from './memory.ts'
import { whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import type { Source } from './template.ts'

const TRANSFERS = slotOf('transfers')
const DATE = ITEM_PROPERTIES.transfers.indexOf('transferDate')
const PRICE = ITEM_PROPERTIES.transfers.indexOf('transferPrice')
/** The span of the date as a date-time follows the stored values. */
const DATE_OBJECT = ITEM_PROPERTIES.transfers.length
const newest = new Spans(DATE_OBJECT + 1)
const before = new Spans(DATE_OBJECT + 1)
const purchase = new Spans(DATE_OBJECT + 1)

/** The newest transfer, the one before it, and the newest with a price above 0. */
const SHOWN = {
  transfers: { item: newest, prepare: findNewest },
  before: { item: before, prepare: findBefore },
  purchase: { item: purchase, prepare: findPurchase },
}

/** A field of the flat layout with one value of a transfer. */
export function showTransfer(
  which: keyof typeof SHOWN,
  name: string,
  { slot, show }: ItemKey,
): Source {
  const { item, prepare } = SHOWN[which]
  const object = name === 'transferDateObject'
  const part = whole(item.address(object ? DATE_OBJECT : slot))
  const bits = object ? [part] : (show?.(part) ?? [part])
  return { compose: (field) => (field('transfers') === null ? null : bits), prepare }
}

/** Finds the newest transfer's values, and derives its date as a date-time. */
function findNewest(record: StoredRecord): void {
  cutItem(newest, record.from(TRANSFERS), record.to(TRANSFERS))
  const [from, to] = [newest.from(DATE), newest.to(DATE)]
  if (from === to) return
  // The date without its closing quote, and midnight.
  const start = record.take(to - 1 - from + TIME.length)
  let end = start
  for (let at = from; at < to - 1; at += 1) bytes[end++] = bytes[at] as number
  for (let at = 0; at < TIME.length; at += 1) bytes[end++] = TIME[at] as number
  newest.set(DATE_OBJECT, start, end)
}

/** Copied byte by byte: a text made of both takes several calls out of JavaScript. */
const TIME = Buffer.from(MIDNIGHT)

/** Finds the transfer before the newest one; without one its values are empty. */
function findBefore(record: StoredRecord): void {
  const to = record.to(TRANSFERS)
  const end = cutItem(before, record.from(TRANSFERS), to)
  cutItem(before, Math.min(end + 1, to), to)
  record.length += to - end
}

/** Finds the newest transfer with a price above 0; without one its values are empty. */
function findPurchase(record: StoredRecord): void {
  const to = record.to(TRANSFERS)
  let from = record.from(TRANSFERS)
  record.length += to - from
  for (;;) {
    const end = cutItem(purchase, from, to)
    const price = purchase.from(PRICE)
    // A price is a whole number without leading zeros.
    if (price < purchase.to(PRICE) && isPositive(bytes[price] as number)) return
    if (end >= to) break
    from = end + 1
  }
  cutItem(purchase, to, to)
}

function isPositive(firstDigit: number): boolean {
  return firstDigit > ZERO && firstDigit <= NINE
}

const [ZERO, NINE] = [0x30, 0x39]
