/** The most expensive questions about the parcels of some states, for `bench/hostile.ts`. */

const SEARCH = '/public/property/search/'
const SUMMARY = '/public/property/summary/'
/** As many values as a filter takes. */
const VALUES = 50

/** `ranges`, `sorts`, `summaries` and `suggests`; the requests of each are sent in turn. */
export function makeQuestionFloods(states: readonly string[]): Record<string, string[]> {
  const each = (path: string, ...queries: string[]) =>
    states.flatMap((state) => queries.map((query) => `${path}?state=${state}&${query}`))
  const zips = Array.from({ length: VALUES }, (_, at) => 53_700 + at).join()
  const zones = Array.from({ length: VALUES }, (_, at) => `zoningCode=Z-${at}`).join('&')
  return {
    ranges: each(
      SEARCH,
      'acresMin=0&marketValueMin=0&yearBuiltMin=1&sqftMin=1&taxMin=0&includeTotal=true&limit=100',
      'acresMin=0.2&acresMax=0.2001&salePriceMin=1&saleDateFrom=1900-01-01&countOnly=true',
      `ownerZipCode=${zips}&countOnly=true`,
      `${zones}&countOnly=true`,
    ),
    sorts: each(
      SEARCH,
      'sort=-id&limit=100&offset=5000',
      'sort=-marketValue&limit=100&offset=5000&includeUnassignedAddress=true',
      'sort=saleDate&limit=100&cursor=',
      'sort=yearBuilt&limit=100&offset=4999&includeTotal=true',
    ),
    summaries: each(
      SUMMARY,
      'groupBy=owner,zipCode&measure=medianMarketValue,medianSalePrice,sumAcres&top=100',
      'groupBy=owner&orderBy=medianAssessedValue&top=100',
      'groupBy=city,yearBuiltDecade&measure=medianMarketValue,ownerOccupiedShare&top=100',
      'groupBy=county&measure=medianMarketValue,medianAssessedValue,medianSalePrice',
    ),
    suggests: [
      ...each('/public/suggest/', 'q=11', 'q=10', 'q=ma&limit=20', 'q=s%20m', 'q=oakk&limit=20'),
      ...each('/public/suggest/', 'q=smi&kinds=owner&limit=20', 'q=smithh&kinds=owner'),
      ...[
        '/public/suggest/?q=12%20ma&limit=20',
        '/public/suggest/?q=mapel',
        '/public/suggest/?q=00',
      ],
    ],
  }
}
