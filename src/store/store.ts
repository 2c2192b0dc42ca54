/**
 * What can be asked of the data. SQLite and PostgreSQL implement it; it says what is asked, not
 * how.
 *
 * Absence is `undefined` or `[]`. A store that cannot answer in time throws the refusal
 * *unavailable*. Every question names a state, so that a store may keep each state in a place of
 * its own.
 */
import type { AlternateKey } from '../model/address.ts'
import type { CoverageAsked, CoverageName, UnreachedDatabase } from '../model/coverage.ts'
import type { OwnerIndex, OwnerQuestion, OwnerTrace } from '../model/owner.ts'
import type { ChangeReader } from './changes.ts'
import type { ColumnValues, FilterValues } from './columns.ts'
import type { ImportNote, RollChange, RollScope } from './history.ts'
import type { PlaceReader } from './places.ts'
import type { SaleTestReader } from './sale-tests.ts'

export type { RollChange }

/** A parcel as it is kept; `layout/render.ts` shows it. */
export type StoredParcel = {
  /** Grows with first insertion, never changes and never comes back; below 2^53. */
  id: number
  /** Leaf values, as `layout/leaves.ts` writes them. */
  leaves: string
  /** Epoch seconds: when this record last changed. */
  loadedAt: number
  /** GeoJSON text of its polygon, where one was loaded. */
  geometry: string | null
  /** The parcels of its owner in the state, itself among them; `null`: nobody is named. */
  owned?: OwnedParcels | null
}

/** How many parcels somebody has: all, residential ones, and those known not to be. */
export type OwnedParcels = { parcels: number; residential: number; other: number }

/** A parcel with the recorded ID that an exact lookup compares. */
export type IdentifiedParcel = StoredParcel & { parcelKey: string }

/** The only parcel at an address, with the key of its unit there; `''`: none. */
export type LoneParcel = StoredParcel & { unitKey: string }

/** A parcel that stands at an address. */
export type SitusHit = {
  id: number
  /** Its strict address key; several parcels share one, several keys one road. */
  key: string
  unitKey: string
  fips: number
  /** Folded by `foldCity`; the empty string where no city is recorded. */
  city: string
  /** The asked city, where the parcel's municipality is meant by it; stores leave it out. */
  municipality?: string
  zip: string
  /**
   * Whether the key asked is one of its alternates, and of what kind; `null`: its own strict key.
   */
  alternate: AlternateKey['kind'] | null
}

/** Where a parcel has to stand: a county, a city folded by `foldCity`, or anywhere. */
export type AskedPlace = { fips: number | undefined; city: string | undefined }

/** Filters of property search; all present ones hold. */
export type ParcelFilter = FilterValues & {
  state: string
  /** Only these ids (what an address lookup found), ascending. */
  ids?: number[]
}

/** One page of parcels, and where the next one begins. */
export type ParcelPage = {
  parcels: StoredParcel[]
  /**
   * Id of the last parcel *examined*; from there the next page goes on. Meaningless when `done`.
   */
  lastId: number
  /** Whether nothing is left after this page. */
  done: boolean
  /** Whether the walk ended because its time was up. */
  outOfTime: boolean
}

/** A parcel that an owner search found, and whether only by a similar name. */
export type OwnerHit = { id: number; fuzzy: boolean }

/** Which of an owner search's hits are shown, counted from 0. */
export type OwnerPage = { from: number; count: number }

/** `shown`: parcels of the asked page, in its order; left out where they are to be asked for. */
export type FoundOwners = { hits: OwnerHit[]; complete: boolean; shown?: StoredParcel[] }

/** What is asked of places, of changes and of tests of sales. */
type FurtherReaders = PlaceReader & ChangeReader & SaleTestReader

export type ParcelReader = FurtherReaders & {
  /** Whether another process does the work, and this one waits. */
  isRemote: boolean
  /**
   * Parcels of a county whose ID without punctuation is the one asked, ascending ids, at most
   * 1,000.
   */
  byParcelId(state: string, fips: number, strippedKey: string): Promise<IdentifiedParcel[]>
  /**
   * Parcels of a county with this alternate ID, upper-cased and trimmed; ascending ids, at most
   * 1,000.
   */
  byAlternateId(state: string, fips: number, key: string): Promise<StoredParcel[]>
  /** Parcels whose strict key, or an alternate of theirs, is the key asked. Ascending ids. */
  bySitusKey(state: string, key: string): Promise<SitusHit[]>
  /**
   * The record that stands alone at its strict key: most addresses are asked by this one question.
   * `unitKey`: only what has that unit; `''`: whatever unit. `undefined`: nothing, more than one
   * entry, one that another key of the parcel made, or one that stands elsewhere; a parcel that
   * records no city counts as elsewhere where a city is asked.
   */
  onlyAtSitusKey(
    state: string,
    key: string,
    unitKey: string,
    place: AskedPlace,
  ): Promise<LoneParcel | undefined>
  /**
   * Strict address keys that begin with a text (at least a house number and `|`), each with one of
   * its cities, `''` where none is recorded; ascending, at most `limit`.
   */
  addressesWithPrefix(
    state: string,
    prefix: string,
    limit: number,
  ): Promise<{ key: string; city: string }[]>
  /** Parcels whose loose key is the one asked, by their own strict keys. Ascending ids. */
  byLooseKey(state: string, looseKey: string): Promise<SitusHit[]>
  /** The parcels of these ids, in the order asked; ids without a parcel are left out. */
  byIds(state: string, ids: number[]): Promise<StoredParcel[]>
  /**
   * Parcels after an id in ascending order of ids, `skip` of them passed over. `deadline`: by
   * `performance.now()`, which is monotonic.
   */
  page(
    filter: ParcelFilter,
    afterId: number,
    skip: number,
    limit: number,
    deadline: number,
  ): Promise<ParcelPage>
  /**
   * Parcels with an owner slot that meets the question: exact ones first, then fuzzy ones, each by
   * ascending id, at most `limit` after `skip`. `complete` is false when the deadline came first.
   * `trace`: notes the rounds. `page`: which of these hits will be shown; a store behind a network
   * gives their parcels as `shown` where it can read them by the same statement.
   */
  byOwner(
    state: string,
    fips: number | undefined,
    question: OwnerQuestion,
    skip: number,
    limit: number,
    deadline: number,
    trace?: OwnerTrace,
    page?: OwnerPage,
  ): Promise<FoundOwners>
  /** The owner words under which parcels are found; for explanations. In any order. */
  ownersOf(state: string, ids: number[]): Promise<{ id: number; owners: OwnerIndex }[]>
  /**
   * How many entries of a state have each name (surname or first word of an organization) and word;
   * 1,000 at most.
   */
  countOwnerKeys(
    state: string,
    names: string[],
    words: string[],
  ): Promise<{ names: number[]; words: number[] }>
  /**
   * Recorded surnames of persons that begin with a text (A to Z and 0 to 9), ascending, at most
   * `limit`.
   */
  surnamesFrom(state: string, start: string, limit: number): Promise<string[]>
  /**
   * Each loaded county with its counts, at least those that are asked for. Throws *unavailable*
   * where a database that may hold one of them cannot be asked.
   */
  coverage(asked?: CoverageAsked): Promise<CountyCoverage[]>
  /** Databases of states that could not be asked when they were last tried. */
  unreached(): UnreachedDatabase[]
  /** A text that is another one after each change of the rolls. */
  version(): Promise<string>
}

export type CountyCoverage = {
  state: string
  fips: number
  parcels: number
  rollYear: number | null
  /** Epoch seconds of the newest change. */
  loadedAt: number
  /** Parcels that have each field. */
  filled: Record<CoverageName, number>
  /** West, south, east and north of the parcels' points, in degrees; `null`: none has a point. */
  bounds: [number, number, number, number] | null
}

/**
 * A parcel that an import made, ready to be stored: its record and what finds it. Plain values, so
 * that threads hand it over cheaply.
 */
export type StagedParcel = ColumnValues & {
  /** Which row of the import it comes from, counted from 1 over all its files. */
  row: number
  /**
   * Identity within the scope: the recorded ID without punctuation and case, or the recorded form
   * if that is not unique.
   */
  identity: string
  /** The record, as `record/stored.ts` writes it. */
  leaves: string
  /** What finds it, as `parcel-keys.ts` writes it. */
  keys: string
  /** GeoJSON text, when polygons are loaded. */
  geometry: string | null
}

/** The same with what the guard looks at. */
export type RollComparison = RollChange & { scopes: ScopeChange[] }

/** One staged row among those that share an identity. */
export type StagedRow = { row: number; parcelKey: string; leaves: string }

/**
 * Writes one roll: staged beside the store, then compared with it and applied in one transaction.
 *
 * A store in this process answers at once, one behind a network by promises: callers await either.
 */
export type RollWriter = {
  /** Rows may come in any order and several of one identity; `repeats` tells. */
  stage(parcels: StagedParcel[]): void | Promise<void>
  /**
   * Groups of staged rows that share scope and identity, each by ascending row. The importer
   * settles a group by `drop` and `stage`, also while it goes through them; from `compare` on an
   * identity is staged once.
   */
  repeats(): Iterable<StagedRow[]> | AsyncIterable<StagedRow[]>
  /** Takes staged rows back, by their row numbers. */
  drop(rows: number[]): void | Promise<void>
  /** What applying would do; changes nothing. */
  compare(): RollComparison | Promise<RollComparison>
  /**
   * Applies the differences; readers see the old roll or the new one. `removeAbsent`: parcels of
   * the staged scopes that the roll does not hold are removed. `onProgress` is called with the
   * share done, 0 to 1. `note`: what the history of imports says of this one, written in the same
   * transaction. `token`: what `marks.tokens` tells of the touched scopes from then on.
   */
  apply(
    removeAbsent: boolean,
    loadedAt: number,
    onProgress?: (share: number) => void,
    note?: ImportNote,
    token?: string | null,
  ): RollChange | Promise<RollChange>
  /** Drops what was staged. */
  discard(): void | Promise<void>
  /** Tells unchanged rows; absent where a store stages every row. */
  marks?: RowMarks
}

/** The token of the last import that wrote a roll scope, while nothing has changed it since. */
export type ScopeToken = RollScope & { token: string }

/** Kept parcels that stand as they are, without being staged. */
export type RowMarks = {
  tokens(): ScopeToken[] | Promise<ScopeToken[]>
  /**
   * Keeps other imports away from these scopes, before any of their parcels is seen. Throws
   * `CommandError` where another import is loading one of them, or has changed it since `tokens`.
   */
  claim(scopes: ScopeToken[]): void | Promise<void>
  /** These parcels stand: their rows are as they were. */
  see(parcels: { row: number; id: number }[]): void | Promise<void>
  /**
   * Rows of such parcels whose identity some staged row has. They stand no longer, and have to be
   * staged.
   */
  unsee(): number[] | Promise<number[]>
  /** The staged rows with the ids of their parcels, once they are applied. */
  ids(): Iterable<{ row: number; id: number }> | AsyncIterable<{ row: number; id: number }>
}

/** One roll scope before and after, for the guard. */
export type ScopeChange = {
  fips: number
  municipality: string
  before: number
  removed: number
  ownerBefore: number
  ownerAfter: number
  addressBefore: number
  addressAfter: number
  after: number
}
