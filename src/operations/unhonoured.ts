/** Names of filters that clients of such services send and that a search here cannot honour. */

const MEASURES = [
  ...['beds', 'bedrooms', 'baths', 'bathrooms', 'sqft', 'squareFeet', 'area', 'buildingArea'],
  ...['livingArea', 'price', 'salePrice', 'value', 'marketValue', 'assessedValue', 'yearBuilt'],
  ...['lotSize', 'lotArea', 'acres', 'equity', 'ltv', 'units', 'stories', 'taxAmount'],
]

const PLAIN = [
  ...['ownerOccupied', 'absenteeOwner', 'absentee', 'outOfStateOwner', 'corporateOwned', 'vacant'],
  ...['preForeclosure', 'auction', 'reo', 'bankOwned', 'taxDelinquent', 'freeClear', 'highEquity'],
  ...['pool', 'garage', 'zoning', 'subdivision', 'neighborhood', 'schoolDistrict', 'mlsStatus'],
  ...['bbox', 'polygon', 'boundary'],
  ...['saleDateFrom', 'saleDateTo', 'lastSaleDate', 'sortBy', 'orderBy'],
  ...['ownerName', 'owner', 'lastName', 'firstName', 'nameContains', 'street', 'street_address'],
  ...['parcelId', 'apn', 'fips', 'propertyId', 'realieParcelId'],
]

const camel = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const snake = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The names, each in camel case and with underscores; bounds with `min` and `max` on either side.
 *
 * Unknown parameters are ignored in general. These are not: who asks for three bedrooms must not
 * get a whole county.
 */
export const UNHONOURED: ReadonlySet<string> = new Set(
  [
    ...PLAIN,
    ...MEASURES.flatMap((name) => [
      name,
      ...['Min', 'Max'].map((end) => `${name}${end}`),
      ...['min', 'max'].map((start) => `${start}${camel(name)}`),
    ]),
  ].flatMap((name) => [name, snake(name)]),
)

/** The same for searches that take no address, and name a place by coordinates. */
export const UNHONOURED_BY_PLACE: ReadonlySet<string> = new Set([
  ...UNHONOURED,
  ...['address', 'query', 'unit', 'unitNumber', 'unitNumberStripped'],
])

/** The same for comparable sales, which take no filter of a search either. */
export const UNHONOURED_BY_SALES: ReadonlySet<string> = new Set([
  ...UNHONOURED_BY_PLACE,
  ...['city', 'zipCode', 'zip', 'useCode', 'useStandardCode', 'residential', 'foreclosure'],
  ...['transferedSince', 'transferredSince'],
])
