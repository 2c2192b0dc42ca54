/** Determines from the mailing address whether an owner lives at the site. Pure. */
import { rememberStreets } from '../../address/canonical.ts'
import { forgive, splitKey } from '../../address/forgive.ts'
import * as fold from '../../base/fold.ts'
import type { CanonicalAddress } from '../../base/model/address.ts'
import { withinOneEdit } from '../../base/word-edits.ts'
import { remember } from '../mapping/remember.ts'
import type { Draft } from './normalize.ts'

const foldCity = remember(fold.foldCity)
/** Reads the situs lines and mailing addresses of a roll. */
export const readAddress = rememberStreets()

/**
 * Reports whether the owner's mail goes to the site, or a homestead flag of the roll says that the
 * owner lives there.
 *
 * `null` unless both addresses are clear: each has a house number and a street (a PO box is never
 * the site). State, city, ZIP and unit must agree or clearly differ. `site`: the parsed situs line.
 */
export function readOccupied(draft: Draft, site: CanonicalAddress | undefined): boolean | null {
  const { parcel, line } = draft
  const flag = parcel.ownerOccupied
  const { ownerStreet } = parcel
  if (flag === true || ownerStreet === null || line === null || site?.assigned !== true) return flag
  // Most mail goes to another number, so the address need not be parsed.
  const [own, mail] = [NUMBER.exec(line)?.[1], NUMBER.exec(ownerStreet)?.[1]]
  if (own !== undefined && mail !== undefined && own !== mail) return false
  const there = isWrittenAlike(draft) ? site : readMail(draft)
  if (!there.assigned) return BOX.test(there.line) ? false : flag
  return compare(draft, site, there) ?? flag
}

/** A house number that is followed by a street, without leading zeros. */
const NUMBER = /^0*(\d+)(?= +[A-Z])/
const BOX = /\bBOX\b/

/** Texts that are written alike need no parsing; this covers most owners who live at the site. */
function isWrittenAlike({ parcel, county, line, unit }: Draft): boolean {
  return (
    unit === undefined &&
    parcel.ownerStreet === line &&
    parcel.ownerState === county.state &&
    parcel.ownerCity === parcel.city &&
    parcel.ownerZipCode === parcel.zipCode
  )
}

function readMail({ parcel, county }: Draft): CanonicalAddress {
  const { ownerStreet, ownerState, ownerCity, ownerZipCode } = parcel
  const place = { state: ownerState ?? county.state, city: ownerCity, zip: ownerZipCode }
  return readAddress(ownerStreet ?? '', { ...place, fips: county.fips })
}

function compare(draft: Draft, site: CanonicalAddress, mail: CanonicalAddress): boolean | null {
  const { parcel, county } = draft
  const isSame = isSameStreet(site, mail)
  if (isSame === false) return false
  if (parcel.ownerState !== null && parcel.ownerState !== county.state) return false
  const isThere = isSamePlace(draft)
  if (isThere === false) return false
  if (isSame === null || isThere === null) return null
  if (mail.unitKey === site.unitKey || site.unitKey === '') return true
  // Mail to a whole building does not show in which unit the owner lives.
  return mail.unitKey === '' ? null : false
}

/**
 * Reports whether number and street are the same, with the tolerance of a lookup. `null`: they
 * differ by one letter, so one may be mistyped.
 */
function isSameStreet(site: CanonicalAddress, mail: CanonicalAddress): boolean | null {
  if (site.key === mail.key) return true
  const isOther = ({ key }: CanonicalAddress, other: CanonicalAddress) =>
    other.alternates.some((alternate) => alternate.key === key)
  if (isOther(site, mail) || isOther(mail, site)) return true
  if (forgive(mail.key, site.key) !== undefined) return true
  const [own, other] = [splitKey(site.key), splitKey(mail.key)]
  if (own.number !== other.number || own.name === other.name) return false
  return withinOneEdit(own.name, other.name) ? null : false
}

/**
 * Reports whether city and ZIP are the same place. One match is enough: rolls often have the other
 * wrong, or name a township instead of the postal city. `null`: undecided.
 */
function isSamePlace({ parcel, county }: Draft): boolean | null {
  const { zipCode, ownerZipCode, ownerState } = parcel
  if (zipCode !== null && zipCode === ownerZipCode) return true
  const [city, ownerCity] = [joinCity(parcel.city), joinCity(parcel.ownerCity)]
  const citiesKnown = city !== '' && ownerCity !== ''
  if (citiesKnown && city === ownerCity) return true
  const zipsKnown = zipCode !== null && ownerZipCode !== null
  if (zipsKnown && citiesKnown) return false
  // Number, street and state agree, and the situs address has no further parts. It is very unlikely
  // that the owner has a house of the same address in another town.
  const siteTells = zipsKnown || citiesKnown
  return !siteTells && ownerState === county.state ? true : null
}

/** Makes `HILL TOP` equal to `HILLTOP`. */
function joinCity(city: string | null): string {
  return foldCity(city ?? '').replaceAll(' ', '')
}
