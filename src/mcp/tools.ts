/**
 * The tools that agents call, each derived from an operation. A tool without its operation is left
 * out.
 */
import type { Operation } from '../operations/operation.ts'
import type { Parameter } from '../operations/parameters.ts'
import type { JsonSchema } from '../record/json-schema.ts'
import { describeOutput } from './output-schema.ts'

/** Most results of one call: a record takes some 3 KB of a model's context. */
export const RESULTS_MAX = 10

type ToolText = {
  name: string
  operationId: string
  title: string
  /** The tool's purpose, for a reader who only knows the list of tools. */
  about: string
  /** Set by the tool and not shown. */
  fixed?: Readonly<Record<string, string>>
  /** It writes. */
  changes?: boolean
}

const TEXTS: readonly ToolText[] = [
  {
    name: 'address_lookup',
    operationId: 'addressLookup',
    title: 'Property at an address',
    about:
      'Finds the one parcel at a US street address and returns its record: owner, ' +
      'mailing address, assessed and market value, tax, building, land, last sale. Give ' +
      'the street line alone as address; state is required. "match" says how it was ' +
      'found. When several places match, "candidates" lists them: ask again with ' +
      'zipCode, or with county and city.',
    fixed: { candidates: 'true' },
  },
  {
    name: 'parcel_lookup',
    operationId: 'parcelIdLookup',
    title: 'Property by parcel ID',
    about:
      "Finds the parcel with an assessor's parcel ID (APN, PIN, folio) in a county and " +
      'returns its record.',
  },
  {
    name: 'property_search',
    operationId: 'propertySearch',
    title: 'Properties by filters',
    about:
      'Lists the parcels of a state that meet all filters given: place, use, size, value, sale, ' +
      'owner and others. sort orders them (-acres: the largest first), countOnly counts ' +
      'them. To read all of them, follow nextCursor.',
  },
  {
    name: 'property_summary',
    operationId: 'propertySummary',
    title: 'Counts and sums by group',
    about:
      'Groups the parcels of a state or county that meet all filters, and returns counts, sums, ' +
      'medians or shares of each group: "who owns most land", "median value by city". One call ' +
      'answers it; do not page through parcels for this.',
  },
  {
    name: 'suggest',
    operationId: 'suggest',
    title: 'Complete a partial text',
    about:
      'Completes a partial or misspelled address, parcel ID, subdivision or city (with ' +
      'kinds=owner, an owner), with the property ID when it is one parcel.',
  },
  {
    name: 'owner_network',
    operationId: 'ownerNetwork',
    title: 'Owners related to the owner of a property',
    about:
      'Lists the owners that share mailing addresses or care-of names with the owner of a ' +
      'property, step by step, with properties of each.',
  },
  {
    name: 'location_search',
    operationId: 'locationSearch',
    title: 'Properties near a point',
    about:
      'Lists the parcels within a radius (miles, at most 2) of a point, nearest first, ' +
      'with their distances.',
  },
  {
    name: 'point_lookup',
    operationId: 'pointLookup',
    title: 'Property at a point',
    about:
      'Finds the parcels whose polygon contains a point: "what property is at this ' +
      'latitude and longitude?".',
  },
  {
    name: 'comparables',
    operationId: 'comparables',
    title: 'Comparable sales',
    about:
      'Lists recent sales near a point or a property that are most like it, with price, ' +
      'distance and similarity.',
  },
  {
    name: 'owner_search',
    operationId: 'premiumOwnerSearch',
    title: 'Properties of an owner',
    about:
      'Lists the parcels of a state whose recorded owner has a name. For a person give ' +
      'lastName, and firstName to narrow it; for a company or trust give lastName with ' +
      'its name, or nameContains with words of it. fuzzy allows one misspelled letter ' +
      'per word.',
  },
  {
    name: 'portfolio',
    operationId: 'portfolioSearch',
    title: 'Other properties of the same owner',
    about:
      'Lists the other parcels that very probably have the same owner as a given ' +
      'property, with the reason for each.',
  },
  {
    name: 'coverage',
    operationId: 'coverage',
    title: 'What is loaded',
    about:
      'Lists the loaded counties, each with its number of parcels, the year of its roll and ' +
      'the share of parcels that has each field. Call it first when nothing is found.',
  },
  {
    name: 'watch_create',
    operationId: 'createWatch',
    title: 'Watch parcels, an owner, a shape or a search',
    about:
      'Makes a watch: later imports that change what it means become events, which ' +
      'watch_events reads. kind says which of propertyIds (with commas between them), owner, ' +
      'shape and search is given.',
    changes: true,
  },
  {
    name: 'watch_events',
    operationId: 'watchEvent',
    title: 'What a watch has heard',
    about:
      'Lists the events of a watch, oldest first: parcels that were added, changed or removed, ' +
      'and the fields that changed with their values before and after.',
  },
  {
    name: 'usage',
    operationId: 'usage',
    title: 'Tokens used',
    about:
      'Shows how many tokens the account has used in this billing period and how many are left.',
  },
]

/** How the pages of a list are requested; a tool always uses `cursor`. */
type Paging = 'none' | 'cursor' | 'offset'

export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema: JsonSchema & { type: 'object' }
  annotations: { title: string; readOnlyHint: boolean; openWorldHint: false }
  operation: Operation
  paging: Paging
  /** The parameter that limits a page, if any. */
  limit: string | undefined
  fixed: Readonly<Record<string, string>>
}

export function makeTools(
  operations: readonly Operation[],
  priceOf: (operation: Operation) => number,
): Tool[] {
  return TEXTS.flatMap(({ name, operationId, title, about, fixed = {}, changes = false }) => {
    const operation = operations.find((one) => one.operationId === operationId)
    if (operation === undefined) return []
    const { parameters } = operation
    const paging = 'cursor' in parameters ? 'cursor' : 'offset' in parameters ? 'offset' : 'none'
    const limit = ['limit', 'maxResults'].find((one) => one in parameters)
    const tool = { operation, paging, limit, fixed, title } as const
    return [
      {
        ...tool,
        name,
        description: `${about} ${describePrice(priceOf(operation))}`,
        inputSchema: describeInput(tool),
        outputSchema: describeOutput(operation),
        annotations: { title, readOnlyHint: !changes, openWorldHint: false },
      },
    ]
  })
}

function describePrice(tokens: number): string {
  if (tokens === 0) return 'Free.'
  return `Costs ${tokens} ${tokens === 1 ? 'token' : 'tokens'} for each call that finds something.`
}

/** A tool does its own paging, and `explain` is for people who check a match. */
const HIDDEN = new Set(['offset', 'cursor', 'explain'])

/** Tools that also page by offset, as other servers of this data do. */
const BY_OFFSET = new Set(['locationSearch', 'ownerSearch', 'premiumOwnerSearch'])

type Shape = Pick<Tool, 'operation' | 'paging' | 'limit' | 'fixed'>

function describeInput({ operation, paging, limit, fixed }: Shape): Tool['inputSchema'] {
  const shown = Object.entries(operation.parameters).filter(
    ([name, { deprecated }]) => !HIDDEN.has(name) && !(name in fixed) && deprecated !== true,
  )
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    shown.map(([name, parameter]) => [name, describeParameter(parameter)]),
  )
  if (limit !== undefined) {
    properties[limit] = {
      type: 'integer',
      minimum: 1,
      maximum: RESULTS_MAX,
      description: `Results of this call, at most ${RESULTS_MAX}.`,
      default: RESULTS_MAX,
    }
  }
  if (paging !== 'none') {
    properties.cursor = {
      type: 'string',
      description: 'The nextCursor of the call before, for the next results; leave out at first.',
    }
  }
  if (BY_OFFSET.has(operation.operationId)) {
    properties.offset = {
      type: 'integer',
      minimum: 0,
      description: 'Results to skip; cursor does the same and takes precedence.',
    }
  }
  const required = shown.filter(([, one]) => one.required).map(([name]) => name)
  return { type: 'object', properties, required, additionalProperties: false }
}

function describeParameter(parameter: Parameter): JsonSchema {
  const about = { description: parameter.about }
  switch (parameter.type) {
    case 'integer':
      return { type: 'integer', minimum: parameter.minimum, ...about }
    case 'choice':
      return { type: 'string', enum: parameter.values, ...about }
    case 'state':
      return { type: 'string', ...about }
    case 'words':
      return { type: 'array', items: { type: 'string', enum: parameter.values }, ...about }
    default:
      return { type: parameter.type, ...about }
  }
}
