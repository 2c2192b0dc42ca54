/** Describes a parcel's record in words for a person. Pure. */
import {
  countOf,
  type FlatRecord,
  showCount,
  showCounty,
  showDate,
  showDollars,
  showName,
} from './words.ts'

type RecordWords = {
  /** Its address, or its ID where it has none. */
  title: string
  /** A line of a definition list each, without unknown values. */
  facts: [term: string, text: string][]
  /** The roll's publisher, year and load time. */
  source: string
}

export function describeRecord(record: FlatRecord): RecordWords {
  const text = (name: string) => {
    const value = record[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const number = (name: string) => {
    const value = record[name]
    return typeof value === 'number' ? value : undefined
  }
  const county = `${showCountyOf(record)} County, ${text('state') ?? ''}`
  const facts: [string, string | undefined][] = [
    ['Owner', join([text('ownerName'), text('ownerCareOf')], ', care of ')],
    ['Mailing address', text('ownerAddressFull')],
    ['Parcel ID', `${text('parcelId') ?? ''}, ${county}`],
    ['Taxed by', text('jurisdiction') && showName(text('jurisdiction') ?? '')],
    ['Use', join([text('useStandardDescription'), text('useDescription')], ' · ')],
    ['Building', describeBuilding(number, text)],
    ['Land', describeLand(number)],
    ['Assessed', describeValue(showDollars(number('totalAssessedValue')), number('assessedYear'))],
    [
      'Market value',
      describeValue(showDollars(number('totalMarketValue')), number('marketValueYear')),
    ],
    ['Tax', describeValue(showDollars(number('taxValue')), number('taxYear'))],
    ['Last sold', describeSale(record)],
    ['Legal description', text('legalDesc')],
  ]
  const year = number('sourceRollYear')
  return {
    title: text('addressFull') ?? `Parcel ${text('parcelId') ?? ''}`,
    facts: facts.filter(
      (fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '',
    ),
    source: [
      text('sourceName'),
      year === undefined ? undefined : `roll of ${year}`,
      `loaded ${showDate(text('updatedAt')) ?? 'at an unknown date'}`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  }
}

/** Returns a record's county, or its recorded name when it has no code. */
export function showCountyOf({ fipsState, fipsCounty, county }: FlatRecord): string {
  const fips = Number(`${fipsState ?? ''}${fipsCounty ?? ''}`)
  return fips > 0 ? showCounty(fips) : showName(String(county ?? ''))
}

type ReadNumber = (name: string) => number | undefined
type ReadText = (name: string) => string | undefined

function describeBuilding(number: ReadNumber, text: ReadText): string | undefined {
  const area = number('livingArea') ?? number('buildingArea')
  const [bedrooms, bathrooms] = [number('totalBedrooms'), number('totalBathrooms')]
  const parts = [
    number('yearBuilt') && `built ${number('yearBuilt')}`,
    area && `${showCount(area)} sq ft`,
    bedrooms && countOf(bedrooms, 'bedroom'),
    bathrooms && countOf(bathrooms, 'bathroom'),
    text('constructionType')?.toLowerCase(),
  ]
  return join(parts, ', ')
}

function describeLand(number: ReadNumber): string | undefined {
  const acres = number('acres') ?? number('calculatedAcres')
  const [front, depth] = [number('frontage'), number('depthSize')]
  return join(
    [
      acres === undefined ? undefined : `${acres} ${acres === 1 ? 'acre' : 'acres'}`,
      front === undefined || depth === undefined ? undefined : `${front} × ${depth} ft`,
    ],
    ', ',
  )
}

function describeValue(amount: string | undefined, year: number | undefined): string | undefined {
  return amount === undefined ? undefined : join([amount, year && `for ${year}`], ' ')
}

function describeSale(record: FlatRecord): string | undefined {
  const date = showDate(record.transferDate)
  if (date === undefined) return undefined
  const price = showDollars(record.transferPrice)
  const from = record.grantor === null ? '' : ` by ${record.grantor}`
  return `${date}${price === undefined ? '' : ` for ${price}`}${from}`
}

function join(parts: (string | number | undefined)[], separator: string): string | undefined {
  const there = parts.filter((part) => part !== undefined && part !== 0 && part !== '')
  return there.length === 0 ? undefined : there.join(separator)
}

export function parcelPath({ propertyId }: FlatRecord): string {
  const { fips, parcelId } = splitId(propertyId)
  return `/parcel?${new URLSearchParams({ county: fips, parcelId })}`
}

/** The county's code and the parcel ID of a property ID, such as `12001-00001-000-001`. */
export function splitId(propertyId: unknown): { fips: string; parcelId: string } {
  const [, fips = '', parcelId = ''] = /^(\d{5})-(.*)$/.exec(String(propertyId)) ?? []
  return { fips, parcelId }
}
