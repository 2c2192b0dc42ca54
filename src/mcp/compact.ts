/** Shortens the records of a list for a model, which may ask for other fields by `fields`. */
import { listShown } from '../record/layout.ts'

type Json = Record<string, unknown>

/** Fields of a record in a list, in the names of `record/fields.ts`. */
const SHOWN: ReadonlySet<string> = new Set([
  ...[
    'propertyId',
    'parcelId',
    'addressFull',
    'ownerName',
    'ownerName2',
    'ownerType',
    'ownerOccupied',
  ],
  ...['useStandardDescription', 'acres', 'buildingArea', 'actualYearBuilt', 'bedrooms'],
  ...['totalMarketValue', 'totalAssessedValue', 'taxAmount', 'transferDate', 'transferPrice'],
])

/** Most characters of the records of one answer. */
const CHARACTERS_MAX = 6000

const pathsOf = (layout: 'flat' | 'nested') => {
  const shown = listShown(layout).filter(({ name }) => SHOWN.has(name))
  return [...new Map(shown.map(({ name, path }) => [name, path])).values()]
}
const PATHS = { flat: pathsOf('flat'), nested: pathsOf('nested') }

/** Returns the records of a list with a few fields each, and says so. */
export function compactRecords(properties: readonly Json[]): Json {
  const short = properties.map(compact)
  const long = JSON.stringify(short).length > CHARACTERS_MAX
  const what = long ? 'its ID and address' : 'its main fields'
  return {
    properties: long ? short.map(identify) : short,
    leftOut: `Each record has only ${what}; name others in fields`,
  }
}

function compact(record: Json): Json {
  const isNested = 'id' in record
  const kept: Json = {}
  for (const path of PATHS[isNested ? 'nested' : 'flat']) {
    const value = path.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], record)
    if (value !== undefined && value !== null) kept[path.at(-1) as string] = value
  }
  const [newest] = isNested ? ((record.transfers ?? []) as Json[]) : []
  return {
    ...kept,
    ...(newest && { transferDate: newest.transferDate, transferPrice: newest.transferPrice }),
  }
}

function identify({ propertyId, addressFull }: Json): Json {
  return { propertyId, addressFull }
}
