/**
 * The last filter before answers: a reader that hides suppressed parcels that are still stored.
 * They are, while `suppress add` waits for an import, and until an import that began earlier is
 * rewritten. Without pending suppressions it is the store's own reader. `store/questions.ts` says
 * what is hidden of each answer.
 */
import { hash } from 'node:crypto'
import { canonicalAddress } from '../address/canonical.ts'
import { refuse } from '../base/errors.ts'
import { foldCity, stripParcelId } from '../base/fold.ts'
import type { Suppression } from '../base/model/suppression.ts'
import type { Parcel } from '../record/parcel.ts'
import { decodeParcel, encodeParcel } from '../record/stored.ts'
import { countyByFips } from '../regions/counties.ts'
import type { FilterValues } from '../store/columns.ts'
import { encodeOwners } from '../store/parcel-keys.ts'
import { askThrough, type Hides, QUESTIONS, type QuestionName } from '../store/questions.ts'
import type { FoundOwners, ParcelPage, ParcelReader, StoredParcel } from '../store/store.ts'
import { type Hider, openHider } from './hide.ts'
import { HIDDEN } from './hide-fields.ts'
import { rulesOf, type SuppressionSettings } from './rules.ts'

/** What to hide of a parcel, its owners as encoded keys, and the decoded parcel. */
type Match = { bits: number; owners: string; parcel: Parcel }
type Kept = { id: number }
/** A matcher of one list of suppressions. `name`: unique for the list. */
type Made = Hider & { of: readonly Suppression[]; name: string }

/**
 * Creates the filter of a process. `pending`: suppressions that stored records do not follow yet.
 * While they cannot be read, for example without their secret, all but county counts is
 * *unavailable*; `fail` gets the cause once per list. The next request tries again.
 */
export function createParcelGuard(
  settings: SuppressionSettings,
  pending: () => readonly Suppression[],
  fail: (error: unknown) => void,
): (parcels: ParcelReader) => ParcelReader {
  let made: Made | undefined
  let reported: readonly Suppression[] | undefined

  /** Cached for equal lists, because a long list takes half a second. */
  function make(of: readonly Suppression[]): Made {
    if (made?.of === of) return made
    const known = made?.of
    const isSame = known?.length === of.length && of.every(({ id }, at) => id === known[at]?.id)
    made = isSame && made !== undefined ? { ...made, of } : open(of, settings)
    return made
  }

  return (parcels) => {
    const of = pending()
    if (of.length === 0) return parcels
    try {
      return guardParcels(parcels, make(of))
    } catch (error) {
      if (reported !== of) fail(error)
      reported = of
      return refuseParcels(parcels, error)
    }
  }
}

const NO_RULES = { secret: new Uint8Array(32), rules: [] }

function open(of: readonly Suppression[], settings: SuppressionSettings): Made {
  const rules = rulesOf(of, settings)
  const name = hash('sha256', of.map(({ id }) => id).join())
  return { of, ...openHider(rules ?? NO_RULES), name }
}

/** Returns a reader that refuses every question except county counts with `cause`. */
function refuseParcels(parcels: ParcelReader, cause: unknown): ParcelReader {
  return askThrough(parcels, async ({ name, put }) => {
    if (name === 'coverage') return put(parcels)
    throw refuse.unavailable('Service temporarily unavailable', cause)
  })
}

/** Returns the functions that remove what is hidden from records and hits of a reader. */
function openFilter(parcels: ParcelReader, { match: bitsOf, hide }: Made) {
  async function match(state: string, records: StoredParcel[]): Promise<Map<number, Match>> {
    const ids = records.map(({ id }) => id)
    const owners = new Map((await parcels.ownersOf(state, ids)).map((one) => [one.id, one.owners]))
    return new Map(
      records.map(({ id, fieldValues }) => {
        const parcel = decodeParcel(fieldValues)
        const own = encodeOwners(owners.get(id) ?? { heads: [], words: [] })
        return [id, { bits: bitsOf(describeParcel(parcel, own)), owners: own, parcel }]
      }),
    )
  }

  /** Returns records as they may be shown. */
  async function show<Kind extends StoredParcel>(state: string, records: Kind[]): Promise<Kind[]> {
    if (records.length === 0) return records
    const matches = await match(state, records)
    return records.flatMap((record) => {
      const found = matches.get(record.id)
      if (found === undefined) return [record]
      if (found.bits & HIDDEN.all) return []
      const { bits, owners, parcel } = found
      if (!hide(parcel, bits, { state, fips: parcel.fips, owners })) return [record]
      const geometry = found.bits & HIDDEN.address ? null : record.geometry
      const shown = { ...record, fieldValues: encodeParcel(found.parcel), geometry }
      // A hidden owner's number of parcels is not shown.
      return [found.bits & HIDDEN.owner ? { ...shown, owned: null } : shown]
    })
  }

  /** Drops hits that were found by something hidden. */
  async function keep<Hit extends Kept>(state: string, hits: Hit[], bits: number): Promise<Hit[]> {
    if (hits.length === 0) return hits
    const ids = [...new Set(hits.map(({ id }) => id))]
    const matches = await match(state, await parcels.byIds(state, ids))
    return hits.filter(({ id }) => ((matches.get(id)?.bits ?? 0) & (bits | HIDDEN.all)) === 0)
  }

  async function keepPlaces<Hit extends Kept & { state: string }>(hits: Hit[]): Promise<Hit[]> {
    const states = [...new Set(hits.map(({ state }) => state))]
    const kept = await Promise.all(
      states.map((state) =>
        keep(
          state,
          hits.filter((hit) => hit.state === state),
          HIDDEN.address,
        ),
      ),
    )
    return kept.flat()
  }

  return { show, keep, keepPlaces }
}

/** Returns the reader without suppressed parcels. */
function guardParcels(parcels: ParcelReader, made: Made): ParcelReader {
  const { show, keep, keepPlaces } = openFilter(parcels, made)
  /** Each takes the state of the question, the store's answer, and what was asked. */
  const hide: Record<Exclude<Hides, 'all' | 'absent'>, Hide> = {
    nothing: (_, answer) => answer,
    records: (state, records: StoredParcel[]) => show(state, records),
    page: async (state, page: ParcelPage, [filter]) => {
      // Parcels without an address do not meet a filter of one, as when their rows follow.
      const isPlaced = OF_ADDRESS.some((name) => (filter as FilterValues)[name])
      const met = isPlaced ? await keep(state, page.parcels, HIDDEN.address) : page.parcels
      return { ...page, parcels: await show(state, met) }
    },
    address: (state, hits: Kept[]) => keep(state, hits, HIDDEN.address),
    owner: (state, hits: Kept[]) => keep(state, hits, HIDDEN.owner),
    // Omits `shown`, so that the parcels of the page are read and filtered.
    search: async (state, { hits, complete }: FoundOwners) => ({
      ...{ hits: await keep(state, hits, HIDDEN.owner), complete },
    }),
    places: (_, hits: (Kept & { state: string })[]) => keepPlaces(hits),
    version: (_, version) => `${version} ${made.name}`,
  }
  const isAbsent = (name: QuestionName) => QUESTIONS[name].hides === 'absent'
  return askThrough(
    { ...parcels, isGuarded: true },
    async ({ name, args, state = '', put }) => {
      const question = QUESTIONS[name]
      if (question.hides === 'all') {
        return (question.nothing as (...args: readonly unknown[]) => unknown)(...args)
      }
      const answer = await put(parcels)
      return question.hides === 'absent'
        ? undefined
        : hide[question.hides](state, answer as never, args)
    },
    isAbsent,
  )
}

type Hide = (state: string, answer: never, args: readonly unknown[]) => unknown

/** Filters of property search by what an address hides; the box comes with `places`. */
const OF_ADDRESS = ['assignedOnly', 'city', 'zip', 'unit', 'units', 'westFrom'] as const

function describeParcel(parcel: Parcel, owners: string) {
  const { fips, municipality, parcelId, address, city, zipCode, alternateAddresses } = parcel
  const unit = [parcel.unitType, parcel.unitNumberStripped].filter((text) => text !== null)
  const state = countyByFips(fips)?.state ?? ''
  const place = { state, fips, city, zip: zipCode }
  const own = address === null ? [] : [canonicalAddress(address, place, unit.join(' '))]
  return {
    ...{ state, fips, owners, zip: zipCode ?? '' },
    municipality: foldCity(municipality ?? ''),
    strippedKey: stripParcelId(parcelId),
    situs: [...own, ...alternateAddresses.map((line) => canonicalAddress(line, place))],
  }
}
