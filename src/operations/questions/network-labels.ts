/** What an owner network shows of a node, and knows of a place: the text of one of its parcels. */
import { canonicalAddress } from '../../address/canonical.ts'
import { foldCity, foldLetters } from '../../base/fold.ts'
import { LINES, openLists } from '../../base/tables.ts'
import { openFields } from '../../record/stored.ts'
import type { ParcelReader, StoredParcel } from '../../store/store.ts'
import { NO_ADDRESS } from '../portfolio.ts'
import type { Judge, NodeKind } from './grow-network.ts'
import { nameOwner } from './owner-groups.ts'
import type { Limits } from './pick.ts'

const readMailing = openFields([
  'ownerStreet',
  'ownerCity',
  'ownerState',
  'ownerZipCode',
  'careOf',
  'fips',
])

export function readFips({ fieldValues }: StoredParcel): number {
  return readMailing(fieldValues).fips
}

/** Returns the label of a node; `undefined` when it is hidden, or names nothing. */
export function labelNode(kind: NodeKind, parcel: StoredParcel): string | undefined {
  if (kind === 'owner') return nameOwner(parcel)
  const { ownerStreet, ownerCity, ownerState, ownerZipCode, careOf } = readMailing(
    parcel.fieldValues,
  )
  if (kind === 'careOf') return careOf ?? undefined
  if (ownerStreet === null || NO_ADDRESS.test(ownerStreet)) return undefined
  const place = [ownerState, ownerZipCode].filter((one) => one !== null).join(' ')
  return [ownerStreet, ownerCity, place].filter((one) => one !== null && one !== '').join(', ')
}

const READ_AT_ONCE = 100

export function openJudge(state: string, parcels: ParcelReader, limits: Limits): Judge {
  return async (places) => {
    const ids = new Set(places.flatMap(({ id, owners }) => [id, ...owners]))
    const records = await readRecords(state, [...ids], parcels, limits)
    const judged: (string | undefined)[] = []
    for (const { kind, id, owners } of places) {
      if (performance.now() > limits.deadline) return undefined
      await limits.pause()
      const parcel = records.get(id)
      const text = parcel && labelNode(kind, parcel)
      if (parcel === undefined || text === undefined) {
        judged.push('it names nobody')
        continue
      }
      const used = owners.flatMap((own) => describeOwner(records.get(own)) ?? [])
      const isBuilding = kind === 'mailingAddress' && (await hasUnits(state, parcel, parcels))
      judged.push(whyLeft({ kind, text, owners: used, isBuilding }))
    }
    return judged
  }
}

function describeOwner(parcel: StoredParcel | undefined) {
  const name = parcel && nameOwner(parcel)
  if (parcel === undefined || name === undefined) return undefined
  return { name, careOf: readMailing(parcel.fieldValues).careOf ?? '' }
}

/** Reads until the deadline. */
export async function readRecords(
  state: string,
  ids: readonly number[],
  parcels: ParcelReader,
  { pause, deadline }: Limits,
): Promise<Map<number, StoredParcel>> {
  const records = new Map<number, StoredParcel>()
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    if (performance.now() > deadline) break
    const some = await parcels.byIds(state, ids.slice(start, start + READ_AT_ONCE))
    for (const one of some) records.set(one.id, one)
    await pause()
  }
  return records
}

/** Whether a mailing address names no unit, and the roll has several units there. */
async function hasUnits(
  state: string,
  { fieldValues }: StoredParcel,
  parcels: ParcelReader,
): Promise<boolean> {
  const { ownerStreet, ownerCity, ownerState } = readMailing(fieldValues)
  if (ownerStreet === null || (ownerState ?? state) !== state) return false
  const { key, unitKey } = canonicalAddress(ownerStreet, { state })
  if (key === '' || unitKey !== '') return false
  const city = ownerCity === null ? '' : foldCity(ownerCity)
  const hits = await parcels.bySitusKey(state, key)
  const units = hits.filter((hit) => hit.city === city && hit.unitKey !== '')
  return new Set(units.map((hit) => hit.unitKey)).size > 1
}

/** A mailing address or care-of name of a network. */
type Place = {
  kind: NodeKind
  /** As recorded. */
  text: string
  /** The different owners that use it, each with the care-of name of a parcel. */
  owners: readonly { name: string; careOf: string }[]
  /** Whether it is a building of several units, and names none. */
  isBuilding: boolean
}

const listOf = openLists('mail-words.txt')
const anyOf = (title: string) => `(?:${listOf(title, LINES).join('|')})`
const OFFICE = new RegExp(`^${anyOf('office')}$`)
const AGENT = new RegExp(`\\b${anyOf('agent')}(?!\\w)`)
const ASSOCIATION = new RegExp(`\\b${anyOf('association')}\\b`)

/** From so many owners on, associations show that an address is their manager's. */
const MANAGED_MIN = 3
/** Owners of one address whose mail goes to an agent. */
const AGENTS_MIN = 2

/** Returns why a place is not followed to its other owners; `undefined`: it is. */
export function whyLeft({ kind, text, owners, isBuilding }: Place): string | undefined {
  if (kind === 'careOf' && isOffice(text)) return 'it names an office, as other owners have too'
  if (kind === 'careOf' && isAgent(text)) return 'it names somebody who receives mail for others'
  if (isBuilding) return 'it is a building of several units, and names none'
  if (owners.filter(({ careOf }) => isAgent(careOf)).length >= AGENTS_MIN) {
    return 'somebody receives mail for several owners there'
  }
  const managed = owners.filter(({ name }) => ASSOCIATION.test(foldLetters(name))).length
  if (owners.length >= MANAGED_MIN && managed * 2 > owners.length) {
    return 'most of its owners are associations, which share a manager'
  }
  return undefined
}

function isOffice(careOf: string): boolean {
  const words = foldLetters(careOf).split(/[^A-Z]+/)
  return words.every((word) => word.length < 2 || OFFICE.test(word))
}

function isAgent(careOf: string): boolean {
  return AGENT.test(foldLetters(careOf)) && !isOffice(careOf)
}
