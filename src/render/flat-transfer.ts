/** The newest transfer, whose values the flat layout shows beside the other fields. */
import { ITEM_PROPERTIES } from '../record/parcel.ts'
import { slotOf } from '../record/stored.ts'
import { MIDNIGHT } from './derived.ts'
import { cutItem, type ItemKey, makeItem } from './lists.ts'
import { bytes } from './memory.ts'
import { whole } from './program.ts'
import type { StoredRecord } from './record.ts'
import type { Source } from './template.ts'

const TRANSFERS = slotOf('transfers')
const DATE = ITEM_PROPERTIES.transfers.indexOf('transferDate')
/** The span of the date as a date-time follows the stored values. */
const DATE_OBJECT = ITEM_PROPERTIES.transfers.length
const newest = makeItem()

/** A field of the flat layout with one value of the newest transfer. */
export function showNewest(name: string, { slot, show }: ItemKey): Source {
  const object = name === 'transferDateObject'
  const part = whole(newest.address(object ? DATE_OBJECT : slot))
  const bits = object ? [part] : (show?.(part) ?? [part])
  return {
    compose: (field) => (field('transfers') === null ? null : bits),
    prepare: findNewest,
  }
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
