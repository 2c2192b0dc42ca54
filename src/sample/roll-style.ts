/** The style of one county's roll; `counties.ts` defines them. */
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

/** A piece of land with its position, which determines the parcel ID and the legal description. */
export type Lot = {
  /** Number of the block in the county, from 0. */
  block: number
  /** Number of the parcel in the block, from 1. */
  lot: number
  /** Number of the parcel in the county, from 0. */
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
  /** Years of ownership; caps on rising values lower the taxes of long-time owners. */
  held: number
}

/** The blocks of a layout. */
export type Shape = {
  blocks: readonly [low: number, high: number]
  /** Parcels of a block; at most 99, which the IDs have digits for. */
  lots: readonly [low: number, high: number]
  /** Difference between the house numbers of successive parcels. */
  step: number
  uses: readonly (readonly [Use, number])[]
}

/** What a county's roll is like, of `tables/sample.json`. */
export type CountyFacts = {
  state: string
  /** Name in a form that `findCounty` reads. */
  county: string
  /** Share of the sample's parcels. */
  share: number
  /** Degrees: south, west, north, east; well inside the county. */
  box: readonly [number, number, number, number]
  cities: readonly City[]
  /** Of the list `[XX surnames]` in `tables/sample-names.txt`, the commoner first. */
  regionalSurnames: readonly string[]
  /** Share of persons with such a name. */
  regionalShare: number
  /** `SMITH, JOHN` or `SMITH JOHN`. */
  comma: boolean
  /** Whether a couple has two slots, or one line like `SMITH JOHN & MARY`. */
  couples: 'slots' | 'line'
  /** Suffix before the given name: `HORN JR FREEMAN`. */
  suffixFirst: boolean
  /** Words after joint owners; `''` for none. */
  tenure: readonly string[]
  careOf: 'column' | 'slot'
  careOfMark: string
  /** Names of public bodies; `{city}` is replaced by the city's name. */
  publicBodies: readonly string[]
  /** Street line of the mailing address of public bodies. */
  publicStreet: string
  layouts: readonly (readonly [Layout, number])[]
  stripStreets: readonly string[]
  /** Range of rural numbers, as arguments of `number`. */
  ruralNumbers: readonly [low: number, high: number]
  /** Whether the unit is in the line (after this word) or in separate columns. */
  unitInLine: boolean
  unitWords: readonly string[]
  useCodes: Record<Use, readonly [code: string, description: string]>
  zoning: Record<'home' | 'dense' | 'trade' | 'farm', readonly [code: string, description: string]>
}

/** The style of one county's roll: IDs, names, streets, codes and taxes. */
export type RollStyle = CountyFacts & {
  parcelId(lot: Lot, random: Random): string
  taxAccount(lot: Lot): string
  legal(lot: Lot, random: Random): string
  /** A street without number, for homes in a city; `''` requests an ordinary one. */
  street(layout: Layout, random: Random): string
  ruralRoad(random: Random): string
  /** Formats a plain number; some roads have their own format. */
  number(plain: number, street: string): string
  /** Columns of values and tax. */
  values(money: Money): SampleRow
}
