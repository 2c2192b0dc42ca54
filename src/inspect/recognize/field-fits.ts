/**
 * Scores how well a column's values fit a field, from 0 (impossible) to 1. Ranges are those of
 * American rolls.
 */
import { type Contents, shareOf } from '../sample/contents.ts'

type Fit = (c: Contents) => number

/** Rises from 0 at `from` to 1 at `to`. */
const rise = (value: number, from: number, to: number) =>
  Math.max(0, Math.min(1, (value - from) / (to - from)))
const empty = (c: Contents) => c.texts.length === 0

/** Score of an empty column, for which only the name counts. */
const NOTHING = 0.6

const filled =
  (fit: Fit): Fit =>
  (c) =>
    empty(c) ? NOTHING : fit(c)

const fitCode: Fit = (c) =>
  (c.distinct > 600 && c.uniqueness > 0.5) || (c.uniqueness > 0.95 && c.texts.length > 49)
    ? 0.15
    : (c.decimal > 0.3 && c.distinct > 40) ||
        (c.address > 0.4 && c.uniqueness > 0.2) ||
        c.date > 0.5
      ? 0.2
      : c.length > 24
        ? 0.5
        : 0.95

/** A code or a text for a kind; that there is one (`Y`) says nothing of its kind. */
const fitKind: Fit = (c) =>
  c.flag > 0.95 || isMeasured(c) || c.distinct > 200 || c.decimal > 0.3 || c.date > 0.5
    ? 0.1
    : c.length > 24
      ? 0.5
      : 0.95
const fitRooms: Fit = (c) => (c.numeric > 0.8 && c.median < 15 && c.low >= 0 ? 0.95 : 0.05)
const STYLE =
  /\b(?:STOR(?:Y|IES)|RANCH|COLONIAL|CAPE|BUNGALOW|SPLIT|BI-?LEVEL|CONVENTIONAL|CONTEMPORARY)\b/i

export const FITS = {
  /** An ID must be present in each row and almost never repeat. */
  id: filled((c) => {
    const unique =
      c.uniqueness > 0.95 ? rise(c.uniqueness, 0.95, 0.998) * 0.35 + 0.65 : c.uniqueness * 0.6
    const shape = c.idShape > 0.5 && c.address < 0.3 && c.date < 0.5 ? 1 : 0.3
    const measured = c.decimal > 0.2 ? (c.coded > 0.9 ? 0.85 : 0.1) : 1
    return unique * shape * (0.3 + 0.7 * rise(c.fill, 0.5, 0.98)) * measured
  }),
  alternate: filled((c) =>
    c.uniqueness > 0.6 &&
    c.idShape > 0.4 &&
    c.decimal < 0.2 &&
    !isAmount(c) &&
    !citesDeeds(c) &&
    !measuresSides(c)
      ? 1
      : 0.2,
  ),
  owner: filled(
    (c) => rise(Math.max(c.person, 0) + c.organization, 0.15, 0.7) * (c.numeric > 0.3 ? 0 : 1),
  ),
  owner2: filled((c) =>
    c.numeric > 0.3 || c.address > 0.5
      ? 0.05
      : 0.4 + 0.6 * rise(c.person + c.organization + c.careOf, 0.1, 0.5),
  ),
  namePart: filled((c) => (c.numeric > 0.2 || c.address > 0.4 ? 0.05 : 0.9)),
  careOf: filled((c) =>
    c.numeric > 0.4 || c.state > 0.5
      ? 0
      : 0.45 + 0.55 * rise(c.careOf + c.person + c.organization, 0.1, 0.5),
  ),
  /** A line with its ZIP scores lower than one without, which has the ZIP in another column. */
  address: filled(
    (c) =>
      rise(Math.max(c.address, c.oneLine, c.numberLast), 0.15, 0.7) *
      (c.endsInZip > 0.6 && c.oneLine < 0.4 ? 0.9 : 1),
  ),
  line: filled((c) => (c.numeric > 0.6 && c.length < 4 ? 0.2 : 0.9)),
  cityStateZip: filled((c) => rise(c.cityStateZip, 0.2, 0.7)),
  city: filled((c) =>
    c.address > 0.4
      ? 0
      : rise(c.place, 0.2, 0.8) *
        (c.state > 0.7 ? 0.1 : 1) *
        (c.distinct > 400 && c.uniqueness > 0.6 ? 0.4 : 1),
  ),
  /** `$0.00` is a tax of a city; numbers in a few rows are units. */
  municipality: filled((c) =>
    shareOf(c.texts, (text) => AMOUNT.test(text)) > 0.5 ||
    c.distinct > 600 ||
    c.decimal > 0.3 ||
    c.address > 0.4 ||
    c.date > 0.5 ||
    c.flag > 0.9 ||
    (c.numeric > 0.5 && c.fill < 0.5)
      ? 0.15
      : c.numeric > 0.9
        ? 0.7
        : 0.95,
  ),
  state: filled((c) => rise(c.state, 0.4, 0.9)),
  zip: filled((c) => Math.max(rise(c.zip, 0.3, 0.8), 0.8 * rise(c.zip + c.shortZip, 0.5, 0.95))),
  four: filled((c) => (c.integer > 0.6 && c.length <= 5.5 ? 1 : 0.1)),
  text: filled((c) => (c.numeric > 0.9 ? 0.5 : 0.9)),
  country: filled((c) => (c.numeric > 0.3 || c.address > 0.3 ? 0 : 0.9)),
  house: filled((c) => rise(c.houseNumber, 0.5, 0.9)),
  direction: filled((c) => rise(c.direction, 0.4, 0.9)),
  streetName: filled((c) =>
    c.address > 0.5 && c.houseNumber < 0.3
      ? 0.2
      : rise(c.streetName, 0.3, 0.8) * (c.direction > 0.6 || c.streetType > 0.75 ? 0.2 : 1),
  ),
  streetType: filled((c) => rise(c.streetType, 0.4, 0.85)),
  unit: filled((c) =>
    c.length > 12 || c.address > 0.3 || c.decimal > 0.1 ? 0.2 : 0.9 - 0.3 * rise(c.fill, 0.7, 1),
  ),
  county: filled((c) => (c.distinct <= 300 && c.uniqueness < 0.9 ? 0.9 : 0.2)),
  latitude: filled((c) =>
    c.numeric > 0.9 && c.decimal > 0.8 && Math.abs(c.low) > 13 && Math.abs(c.high) < 72 ? 1 : 0,
  ),
  longitude: filled((c) =>
    c.numeric > 0.9 && c.decimal > 0.8 && Math.abs(c.median) > 60 && Math.abs(c.median) < 180
      ? 1
      : 0,
  ),
  planar: filled((c) =>
    c.numeric > 0.9 && Math.abs(c.median) > 1000 && c.distinct > c.texts.length * 0.2 ? 1 : 0,
  ),
  tract: filled((c) =>
    (c.numeric > 0.7 || c.length < 14) && c.distinct > 1 && c.date < 0.5 && c.uniqueness < 0.7
      ? 0.95
      : 0.3,
  ),
  code: filled(fitCode),
  /** Districts have long names that repeat; amounts are their taxes. */
  school: filled((c) =>
    c.uniqueness < 0.3 && c.date < 0.5 ? 0.95 : isMeasured(c) ? 0.1 : fitCode(c),
  ),
  /** Single letters say how something is taxed, not where. */
  levy: filled((c) => (c.length < 1.5 && c.numeric < 0.5 ? 0.2 : fitCode(c))),
  kind: filled(fitKind),
  /** Ranches and two stories are styles. */
  construction: filled((c) =>
    shareOf(c.texts, (text) => STYLE.test(text)) > 0.3 ? 0.2 : fitKind(c),
  ),
  description: filled((c) =>
    c.numeric > 0.5 || c.address > 0.5
      ? 0.1
      : c.length < 3.2
        ? 0.35
        : c.uniqueness > 0.7 && c.distinct > 300
          ? 0.4
          : 0.95,
  ),
  useCode: filled((c) =>
    c.distinct > 900 ||
    c.decimal > 0.3 ||
    c.date > 0.5 ||
    (c.distinct < 3 && c.state > 0.9) ||
    (c.distinct === 1 && c.texts.length > 49) ||
    (c.zero > 0.5 && c.high > 9999) ||
    isYesOrNo(c)
      ? 0.05
      : c.length > 9
        ? 0.3
        : 0.95,
  ),
  useDescription: filled((c) =>
    c.numeric > 0.3 || c.length < 4 || c.uniqueness > 0.7
      ? 0.1
      : 0.7 + 0.3 * rise(c.dwelling, 0, 0.3),
  ),
  count: filled((c) =>
    c.numeric > 0.8 && c.high < 2000 && c.low >= 0 && c.decimal < 0.1 ? 0.95 : 0.05,
  ),
  rooms: filled(fitRooms),
  bedrooms: filled((c) => (c.texts.every((text) => BEDS.test(text)) ? 0.95 : fitRooms(c))),
  stories: filled((c) =>
    c.median > 0 && c.median < 30 && c.numeric > 0.6 ? 1 : c.numeric < 0.5 ? 0.5 : 0.3,
  ),
  flag: filled((c) => (c.distinct <= 12 || c.numeric > 0.8 ? 0.85 : 0.2)),
  year: filled(
    (c) =>
      rise(c.year, 0.4, 0.9) *
      (c.distinct <= 12 ? 1 : c.distinct < 30 ? 0.5 : 0.15) *
      (c.median > 1980 ? 1 : 0.3),
  ),
  yearBuilt: filled((c) => (c.year > 0.6 ? 0.7 + 0.3 * rise(c.distinct, 3, 25) : 0.1)),
  /** A date that all rows share is the file's. */
  date: filled((c) =>
    c.distinct === 1 && c.texts.length > 99
      ? 0.1
      : c.date > 0.6
        ? 1
        : c.compactDate > 0.9
          ? 0.95
          : 0.1,
  ),
  saleYear: filled((c) => (c.year > 0.7 ? 1 : 0)),
  saleMonth: filled((c) => (c.integer > 0.8 && c.high <= 12 ? 1 : 0)),
  money: filled((c) =>
    c.numeric > 0.9 && c.date < 0.5 && !holdsYears(c) && c.low > -1e6 && !isPadded(c)
      ? c.high >= 500
        ? 1
        : c.zero > 0.9
          ? 0.5
          : 0.3
      : 0,
  ),
  price: filled((c) => (c.numeric > 0.9 && c.date < 0.5 && !holdsYears(c) && c.high < 5e9 ? 1 : 0)),
  tax: filled((c) => {
    const isLevied = c.high > 20 && (c.distinct > 12 || c.texts.length < 40)
    return c.numeric > 0.9 && c.median < 200_000 && (isLevied || c.zero > 0.9) ? 0.95 : 0.05
  }),
  landArea: filled((c) =>
    c.numeric > 0.8 && c.low >= 0 && c.distinct > 8
      ? 0.95
      : c.numeric < 0.5 && /^\d[\d,.]* ?[a-z]/i.test(c.texts[0] ?? '')
        ? 0.8
        : 0.1,
  ),
  acres: filled((c) =>
    c.numeric > 0.8 && c.low >= 0 && c.median < 2000 && (c.decimal > 0.05 || c.zero > 0.8)
      ? 1
      : c.numeric < 0.8 && c.texts.filter((text) => ACRES.test(text)).length > c.texts.length * 0.9
        ? 0.95
        : 0.15,
  ),
  buildingArea: filled((c) =>
    c.numeric > 0.8 && (c.median > 150 || c.zero > 0.9) && c.median < 60_000 && c.high < 1e7
      ? 1
      : 0.1,
  ),
  length: filled((c) => (c.numeric > 0.8 && c.high < 20_000 && c.low >= 0 ? 0.95 : 0.1)),
  legal: filled((c) =>
    c.numeric > 0.5 || c.length < 5 ? 0.1 : 0.55 + 0.45 * rise(c.legal, 0.1, 0.6),
  ),
  subdivision: filled((c) =>
    c.decimal > 0.1 || c.date > 0.5 || c.uniqueness * c.numeric > 0.6
      ? 0.1
      : isCoded(c)
        ? 0.4
        : 0.9,
  ),
  /** New Jersey's block 2.01 was cut from block 2; areas have decimals in nearly all rows. */
  plot: filled((c) =>
    c.length > 14 || c.decimal > 0.8 || c.date > 0.5 ? 0.15 : c.round > 0.9 ? 0.3 : 0.9,
  ),
  document: filled((c) => (c.date > 0.7 && c.idShape < 0.5 ? 0.2 : c.decimal > 0.3 ? 0.2 : 0.9)),
  units: filled((c) => (c.distinct <= 8 && c.length < 14 ? 0.95 : 0.1)),
} satisfies Record<string, Fit>

/** Sizes and amounts: many different numbers, unlike codes. */
const isMeasured = (c: Contents) =>
  c.numeric > 0.95 && c.coded < 0.5 && c.distinct > 60 && c.high > 999

/** A few amounts may all be numbers of years. */
const holdsYears = (c: Contents) => c.year > 0.95 && c.texts.length > 9

/** `75X130 IRR`: the sides of a lot are no number of a parcel. */
const measuresSides = ({ texts }: Contents) =>
  shareOf(texts, (text) => /^\d+(?:\.\d+)?['’]? ?X ?\d/i.test(text)) > 0.5

/** Maine's `Ref 1` says nothing, and `B4500P233` in it all. */
export const citesDeeds = ({ texts }: Contents) =>
  texts.length > 19 && shareOf(texts, (text) => /^B\d+ ?P\d+/i.test(text)) > 0.9

/** Rounded amounts are no numbers of a parcel. */
const isAmount = (c: Contents) =>
  c.numeric > 0.95 && (c.round > 0.9 || (c.zero > 0.5 && c.round > 0.3))

/** No amount begins with a zero: `0000123456` is a code. */
const isPadded = ({ texts }: Contents) =>
  texts.filter((text) => /^0\d/.test(text)).length > texts.length / 2

/** Single words with figures: the codes of a list, not its names. */
const isCoded = ({ texts }: Contents) =>
  texts.filter((text) => /^[A-Z]{0,4}[-.]?\d[\dA-Z.-]*$/i.test(text)).length > texts.length * 0.9

const isYesOrNo = ({ texts }: Contents) => texts.every((text) => YES_OR_NO.test(text))
const YES_OR_NO = /^(?:y|n|yes|no|t|f|true|false)$/i

/** `3 Bedrooms`, in towns that write the number out. */
export const BEDS = /^\d\d?\+? ?(?:bed|bdrm|br\b)/i

const AMOUNT = /^\$|\d\.\d\d$/

/** A number with or without its unit: `4.43 ac.`. */
const ACRES = /^[\d,]*\.?\d+(?: ?(?:ac|acs|acres?)\.?)?$/i

export type FitName = keyof typeof FITS
