/** Explains which parcels a portfolio search assigns to the same owner, and which not. */
import { showKey } from '../../address/forgive.ts'
import type { OwnerHead } from '../../base/model/owner.ts'

type LookedAt = {
  parcel: string
  /** The subject's name by which it was found. */
  head: OwnerHead
  mailing: string
  sameName: boolean
}

type TriedPortfolio = {
  parcel: string
  heads: { head: OwnerHead; found: number }[]
  /** In compared form; `''` when unknown. */
  mailing: string
  where: string
  met: (LookedAt & { reason: string })[]
  /** Some found parcels that are not the owner's. */
  left: LookedAt[]
  /** Number of the owner's parcels over all pages. */
  total: number
}

export function explainPortfolio(tried: TriedPortfolio) {
  const { parcel, heads, where } = tried
  const names = heads.map(({ head }) => describeName(head))
  const mailing = tried.mailing === '' ? null : showKey(tried.mailing)
  const met = tried.met.map((one) => {
    return { parcel: one.parcel, reason: one.reason, why: describeReason(one) }
  })
  const leftOut = tried.left.map((one) => ({ parcel: one.parcel, why: describeWhyNot(one, tried) }))
  const onPage = tried.total > met.length ? `, ${met.length} on this page` : ''
  const looks = heads.map(({ head, found }) => ({ key: head.head, found }))
  const words = [
    names.length === 0
      ? `The parcel ${parcel} shows no owner, so nothing was searched.`
      : `The owners of ${parcel} are read as ${names.join(' and ')}.`,
    mailing === null ? 'It shows no mailing address.' : `Mail goes to ${mailing}.`,
    ...looks.map(
      ({ key, found }) =>
        `Looked in ${where} for names that begin with ${key}: ${countParcels(found)}.`,
    ),
    ...met.map((one) => `Found ${one.parcel}: ${one.why}`),
    ...leftOut.map((one) => `Not the owner's: ${one.parcel}. ${one.why}`),
    `Answer: ${countParcels(tried.total)}${onPage}.`,
  ]
  return { read: { parcel, names, mailing, where }, tried: looks, met, leftOut, words }
}

function describeReason({ reason, head }: LookedAt & { reason: string }): string {
  if (reason === 'mailing') {
    return `it has the same mailing address and the name ${head.head} in common.`
  }
  const mail = reason === 'name' ? '' : ' and the same mailing address'
  return `it has the same name, ${describeName(head)}${mail}.`
}

function describeWhyNot(one: LookedAt, { mailing }: TriedPortfolio): string {
  const { head } = one
  const elsewhere =
    mailing === '' || one.mailing === ''
      ? 'a mailing address is missing'
      : 'the mailing address is different'
  if (!one.sameName) return `Only ${head.head} is the same in its name, and ${elsewhere}.`
  return (
    `The name ${describeName(head)} has several mailing addresses and may belong to several ` +
    `persons, and ${elsewhere}.`
  )
}

function describeName({ head, rest }: OwnerHead): string {
  return rest === '' ? head : `${head} ${rest}`
}

function countParcels(count: number): string {
  return count === 0 ? 'no other parcel' : count === 1 ? '1 parcel' : `${count} parcels`
}
