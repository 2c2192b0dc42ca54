/**
 * The interface to the data, which SQLite and PostgreSQL implement. Absence is `undefined` or `[]`;
 * a store that cannot answer in time throws *unavailable*. Reads of parcels take a state, on which
 * a cluster's node depends; those by place, of coverage and of the version do not.
 */
import type { AlternateKey } from '../base/model/address.ts'
import type { CoverageAsked, CoverageName, UnreachedDatabase } from '../base/model/coverage.ts'
import type { OwnerHead, OwnerIndex, OwnerQuestion, OwnerTrace } from '../base/model/owner.ts'
import type { ChangeReader, SaleTestReader } from './changes.ts'
import type { ColumnValues, FilterValues } from './columns.ts'
import type { FactReader } from './facts/table.ts'
import type { ImportNote, RollChange, RollScope } from './history.ts'
import type { OriginReader } from './origins/origins.ts'
import type { NearbyReads, PlaceReader } from './places.ts'
import type { AfterWriter } from './rolls/after-writer.ts'
import type { VersionReader } from './versions/versions.ts'

export type { RollChange }

/** A stored parcel; `record/` reads its text, `render/` writes it to an answer. */
export type StoredParcel = {
  /** Assigned in order of first insertion, never changed or reused; below 2^53. */
  id: number
  /** The field values, in the form of `record/stored.ts`. */
  fieldValues: string
  /** When this record last changed, epoch seconds. */
  loadedAt: number
  /** GeoJSON text of its polygon, if loaded. */
  geometry: string | null
  /** Counts of the owner's parcels in the state, this one included; `null` without an owner. */
  owned?: OwnedParcels | null
}

/** Counts of an owner's parcels: all, residential, and known not to be. */
export type OwnedParcels = { parcels: number; residential: number; other: number }

/** A parcel with its recorded ID, which an exact lookup compares. */
export type IdentifiedParcel = StoredParcel & { parcelKey: string }

/** The only parcel at an address, with its unit key there; `''` without a unit. */
export type LoneParcel = StoredParcel & { unitKey: string }

export type SitusHit = {
  id: number
  /** Its strict address key. Several parcels share one, and a road has several. */
  key: string
  unitKey: string
  fips: number
  /** Folded by `foldCity`; `''` when no city is recorded. */
  city: string
  /** Set when the asked city is the parcel's municipality; stores do not set it. */
  municipality?: string
  zip: string
  /** The kind of alternate that the asked key is; `null` when it is the parcel's own strict key. */
  alternate: AlternateKey['kind'] | null
}

/** The place to search: a county, a city folded by `foldCity`, or anywhere. */
export type AskedPlace = { fips: number | undefined; city: string | undefined }

/** Filters of property search; all present ones must hold. */
export type ParcelFilter = FilterValues & {
  state: string
  /** Only these ids (found by an address lookup), ascending. */
  ids?: number[]
}

/** Parcels after an id, from the one behind `skip` of them, at most `limit`. */
export type PageRange = { afterId: number; skip: number; limit: number }

/** One page of parcels, and the start of the next one. */
export type ParcelPage = {
  parcels: StoredParcel[]
  /** Id of the last parcel *examined*, where the next page continues; no meaning when `done`. */
  lastId: number
  done: boolean
  /** Whether the walk ended because of its deadline. */
  outOfTime: boolean
}

/** A parcel found by an owner search. `fuzzy`: only by a similar name. */
export type OwnerHit = { id: number; fuzzy: boolean }

/** The range of hits to show, counted from 0. */
export type OwnerPage = { from: number; count: number }

/** An owner search of one state: at most `limit` hits after the first `skip`. */
export type OwnerSearch = {
  state: string
  /** Searches one county only. */
  fips?: number | undefined
  question: OwnerQuestion
  skip: number
  limit: number
  /** By `performance.now()`. */
  deadline: number
  trace?: OwnerTrace | undefined
  /** The hits to show; a remote store returns their parcels if one statement can read both. */
  page?: OwnerPage | undefined
}

/** `shown`: parcels of the requested page in order; absent when they must be read separately. */
export type FoundOwners = { hits: OwnerHit[]; complete: boolean; shown?: StoredParcel[] }

type OtherReaders = ChangeReader & SaleTestReader & FactReader & OriginReader & VersionReader
type FurtherReaders = PlaceReader & NearbyReads<StoredParcel> & OtherReaders

export type ParcelReader = FurtherReaders & {
  advice: ReadAdvice
  /** Whether answers leave out suppressed parcels that are still stored, also in facts. */
  isGuarded?: true
  /** Parcels of a county by ID without punctuation: ascending ids, at most 1,000. */
  byParcelId(state: string, fips: number, strippedKey: string): Promise<IdentifiedParcel[]>
  /** Parcels of a county whose stripped ID begins with a text; by ID, at most `limit`. */
  parcelsFrom(state: string, fips: number, start: string, limit: number): Promise<number[]>
  /** Parcels of a county by alternate ID in upper case: ascending ids, at most 1,000. */
  byAlternateId(state: string, fips: number, key: string): Promise<StoredParcel[]>
  /** Parcels with this strict key or with an alternate equal to it. Ascending ids. */
  bySitusKey(state: string, key: string): Promise<SitusHit[]>
  /**
   * Returns the record that is alone at its strict key, which answers most address lookups.
   * `unitKey`: only with that unit; `''` for any. `undefined`: no entry, several, one by another
   * key of the parcel, or one in another place. If a city is asked, a parcel without one is
   * elsewhere.
   */
  onlyAtSitusKey(
    state: string,
    key: string,
    unitKey: string,
    place: AskedPlace,
  ): Promise<LoneParcel | undefined>
  /** Strict address keys that begin with a text, ascending, each with a city of it or `''`. */
  addressesWithPrefix(
    state: string,
    prefix: string,
    limit: number,
  ): Promise<{ key: string; city: string }[]>
  /** Parcels with this loose key, with their own strict keys. Ascending ids. */
  byLooseKey(state: string, looseKey: string): Promise<SitusHit[]>
  /** The parcels with these ids in the given order, without ids that do not exist. */
  byIds(state: string, ids: number[]): Promise<StoredParcel[]>
  /** Parcels of a range, by ascending id. `deadline`: by `performance.now()`. */
  page(filter: ParcelFilter, range: PageRange, deadline: number): Promise<ParcelPage>
  /** Parcels with a matching owner slot, exact first. `complete`: false at the deadline. */
  byOwner(search: OwnerSearch): Promise<FoundOwners>
  /** The owner words under which parcels are indexed, in any order; used for explanations. */
  ownersOf(state: string, ids: number[]): Promise<{ id: number; owners: OwnerIndex }[]>
  /** Entries in a state by name (surname, organization's first word) and by word; 1,000 at most. */
  countOwnerKeys(
    state: string,
    names: string[],
    words: string[],
  ): Promise<{ names: number[]; words: number[] }>
  /** Recorded surnames, or first words of organizations, that begin with a text; ascending. */
  headsFrom(
    ...asked: [state: string, start: string, limit: number, kind: OwnerHead['kind']]
  ): Promise<string[]>
  /** Loaded counties, at least those in `asked`. Throws *unavailable* if one is out of reach. */
  coverage(asked?: CoverageAsked): Promise<CountyCoverage[]>
  /** State databases that were unreachable at the last attempt. */
  unreached(): UnreachedDatabase[]
  /** A text that differs after each change of the rolls. */
  version(): Promise<string>
}

export type CountyCoverage = {
  state: string
  fips: number
  parcels: number
  rollYear: number | null
  /** Time of the newest change, epoch seconds. */
  loadedAt: number
  /** Number of parcels with each field. */
  filled: Record<CoverageName, number>
  /** West, south, east and north of the parcels' points, in degrees; `null` without a point. */
  bounds: [number, number, number, number] | null
}

/** A parcel ready to be stored: record and keys, as plain values that threads transfer cheaply. */
export type StagedParcel = ColumnValues & {
  /** Number of its row in the import, counted from 1 over all files. */
  row: number
  /** Identity in the scope: the ID without punctuation and case, or as recorded if that repeats. */
  identity: string
  /** The record, in the form of `record/stored.ts`. */
  fieldValues: string
  /** The lookup keys, in the form of `parcel-keys.ts`. */
  keys: string
  /** GeoJSON text; `''`: its roll says that it has none; `null`: its roll has no polygons. */
  geometry: string | null
}

/**
 * What was written. `ids`: the staged rows with their parcels' ids, to be read once. `tokens`:
 * those of the store after the commit. `fault`: of what follows it, such as statistics; the roll is
 * loaded.
 */
export type AppliedRoll = {
  change: RollChange
  ids: Iterable<RowId> | AsyncIterable<RowId>
  tokens: ScopeToken[]
  fault?: unknown
}

/** A row of the import, and the id of its parcel. */
export type RowId = { row: number; id: number }

/** The differences, with the scopes that the guard checks. */
export type RollComparison = RollChange & { scopes: ScopeChange[] }

/** One of several staged rows with the same identity. */
export type StagedRow = { row: number; parcelKey: string; fieldValues: string }

export type Applying = {
  /** Called with the share done, 0 to 1, and never after the commit, so it may throw. */
  onProgress?: (share: number) => void
  /** The history entry of this import, written in the same transaction. */
  note?: ImportNote
  /** The value that `tokens` then have for the touched scopes. */
  token?: string | null
}

/**
 * Writes one roll: stages it, compares, and applies the differences in one transaction. A local
 * store returns values and a remote one promises, so callers always await.
 */
export type RollWriter = {
  /** Rows may come in any order and several may share an identity; see `compare`. */
  stage(parcels: StagedParcel[]): void | Promise<void>
  drop(rows: number[]): void | Promise<void>
  /**
   * Yields the rows that share an identity: groups of a scope and identity, each by ascending row.
   * The importer settles a group by `drop` and `stage`, also during the iteration, until each
   * identity is staged once.
   */
  repeats(): AsyncIterable<StagedRow[]>
  /** Returns what applying will do, once each identity is staged once; changes nothing. */
  compare(extent?: RollExtent): Promise<RollComparison>
  /**
   * Applies the differences, of a whole roll if it was not compared; readers see the old roll or
   * the new one. Throws only if the commit did not happen, or is not known to have.
   */
  apply(applying?: Applying): Promise<AppliedRoll>
  /** Writes what follows `apply`, in transactions of its own. */
  after: AfterWriter
  /** Drops what was staged, renews the checksums of an embedded store, and releases the locks. */
  discard(): Promise<void>
  /** Recognizes unchanged rows; a first load has none. Absent when a store stages every row. */
  marks?: RowMarks | undefined
}

/** Which stored parcels leave; of a whole roll, by default, those that its scopes lack. */
export type RollExtent = {
  /** The rows are a part of a roll: no parcel leaves. */
  partial?: boolean | undefined
  /**
   * The rows are the changes of a roll: these parcels leave and no other, and rows match parcels by
   * exactly their ID. Ignores what is not stored.
   */
  leaving?: readonly LeavingParcel[] | undefined
  /** Of a whole roll, true by default: parcels that a county has renumbered are changed. */
  pairs?: boolean | undefined
}

/** A parcel that leaves. `parcelKey`: its recorded ID, folded. */
export type LeavingParcel = RollScope & { parcelKey: string; strippedKey: string }

/** The token of the last import that wrote a roll scope, valid until the scope changes. */
export type ScopeToken = RollScope & { token: string }

/** Stored parcels that stay unchanged without being staged. */
export type RowMarks = {
  tokens(): ScopeToken[] | Promise<ScopeToken[]>
  /**
   * Reserves these scopes against other imports, before any of their parcels is marked. Throws
   * `CommandError` when another import is loading one of them, or has changed it since `tokens`.
   */
  claim(scopes: ScopeToken[]): void | Promise<void>
  see(parcels: RowId[]): void | Promise<void>
  /**
   * Unmarks parcels whose identity a staged row has too. Returns their rows, which must be staged.
   */
  unsee(): number[] | Promise<number[]>
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
  /** Parcels that have a polygon, and those among them whose row has none any more. */
  drawnBefore: number
  undrawn: number
  after: number
  /** Day of its present roll, since 1970-01-01; `null` when nothing of it is loaded. */
  newest: number | null
  /** Parcels that the roll has under another ID. */
  renumbered: number
}

/** How a store wants to be asked. */
export type ReadAdvice = {
  /** Reads of many rows take the time of this process, so they wait in the search queue. */
  queued: boolean
  /** A round trip costs more than an unused answer: lookups that may follow are asked at once. */
  ahead: boolean
  /** Rows of a map tile, and columns of counted tiles, that are asked at a time. */
  tileRows: number
  tileColumns: number
}
