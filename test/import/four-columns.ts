/** A mapping of four columns, for rolls that are unusual in other ways. */
import { readMapping } from '../../src/import/mapping/mapping.ts'

export const FOUR_COLUMNS = readMapping(
  JSON.stringify({
    name: 'plain',
    title: 'Four columns',
    state: 'NE',
    county: 'Lancaster',
    nameOrder: 'last-first',
    fields: {
      parcelId: 'PARCEL',
      ownerName1: 'OWNER',
      address: 'SITUS',
      totalMarketValue: 'VALUE',
    },
  }),
  'the mapping',
)
