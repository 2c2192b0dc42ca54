/** What one county's roll has for habits; each file of `counties/` is one of these. */
import type { SampleRow } from './columns.ts'
import type { Random } from './random.ts'

/** A real city with its ZIP codes and position. */
export type City = {
  name: string
  zips: readonly string[]
  lat: number
  lon: number
  /** Share of the county's neighbourhoods. */
  weight: number
}

/** What stands on a parcel. */
export type Use =
  | 'house'
  | 'duplex'
  | 'condo'
  | 'mobile'
  | 'apartments'
  | 'store'
  | 'office'
  | 'warehouse'
  | 'farm'
  | 'vacant'
  | 'public'
  | 'church'

/** How a neighbourhood is laid out. */
export type Layout = 'town' | 'subdivision' | 'condo' | 'court' | 'strip' | 'rural'

/** A piece of land with its position: all that a parcel ID and a legal description are made of. */
export type Lot = {
  /** Counts the county's blocks from 0. */
  block: number
  /** Counts the block's parcels from 1. */
  lot: number
  /** Counts the county's parcels from 0. */
  serial: number
  /** Name of the plat, and the block's letter or number within it. */
  plat: string
  platBlock: number
  /** Survey: section 1 to 36, township, range. */
  section: number
  township: number
  range: number
  unit: string | null
  rural: boolean
  acres: number
}

type Money = {
  market: number
  land: number
  year: number
  homestead: boolean
  /** How long the owner has had it, in years; caps on rising values make old owners pay less. */
  held: number
}

/** How one county writes its roll: IDs, names, streets, codes and taxes. */
export type Manner = {
  state: string
  /** Name as `findCounty` reads it. */
  county: string
  /** Share of the sample's parcels. */
  share: number
  /** Degrees: south, west, north, east; well inside the county. */
  box: readonly [number, number, number, number]
  cities: readonly City[]
  regionalSurnames: readonly string[]
  /** Share of persons with such a name. */
  regionalShare: number
  /** `SMITH, JOHN` or `SMITH JOHN`. */
  comma: boolean
  /** A couple stands in two slots, or in one line as `SMITH JOHN & MARY`. */
  couples: 'slots' | 'line'
  /** Suffix before the given name: `HORN JR FREEMAN`. */
  suffixFirst: boolean
  /** Words after joint owners, `''` among them. */
  tenure: readonly string[]
  careOf: 'column' | 'slot'
  careOfMark: string
  /** Names of public bodies, city names put for `{city}`. */
  publicBodies: readonly string[]
  /** The owners' own address lines of public bodies. */
  publicStreet: string
  layouts: readonly (readonly [Layout, number])[]
  parcelId(lot: Lot, random: Random): string
  taxAccount(lot: Lot): string
  legal(lot: Lot, random: Random): string
  /** A street without its number, for a layout that is not rural; `''` asks for an ordinary one. */
  street(layout: Layout, random: Random): string
  ruralRoad(random: Random): string
  /** Between which a rural number stands, as `number` takes it. */
  ruralNumbers: readonly [low: number, high: number]
  /** A number as written, from a plain one; the road may have its own way. */
  number(plain: number, street: string): string
  /** Whether the unit stands in the line (with this word before it) or in columns of its own. */
  unitInLine: boolean
  unitWords: readonly string[]
  useCodes: Record<Use, readonly [code: string, description: string]>
  /** Columns of values and tax. */
  values(money: Money): SampleRow
  zoning: Record<'home' | 'dense' | 'trade' | 'farm', readonly [code: string, description: string]>
}
