/** Owner search: one engine for two operations. docs/decisions/owner-matching.md. */
import { refuse } from '../base/errors.ts'
import { foldLetters } from '../base/fold.ts'
import type { AccountFacts } from '../base/model/account.ts'
import type { OwnerQuestion, OwnerTrace } from '../base/model/owner.ts'
import { makeOwnerQuestion } from '../owner/canonical.ts'
import type { AskedNames } from '../owner/explain-search.ts'
import { TEXT_MAX, WORD_MAX, WORDS_MAX } from '../owner/words.ts'
import { findCounty } from '../regions/counties.ts'
import type { StoredParcel } from '../store/store.ts'
import { explainUnknownCounty } from './explain/explain-address.ts'
import { explainOwners } from './explain/explain-owners.ts'
import { findOwners, PREFIX_MIN } from './find/find-owners.ts'
import { defineOperation, type Reply, type RequestContext, showList } from './operation.ts'
import type { Values } from './parameters.ts'
import { FIELDS, OFFSET, param, STATE } from './shared-parameters.ts'
import { type Held, listHeld, openFormer } from './time/former-reader.ts'
import { UNSUPPORTED_BY_OWNERS, UNSUPPORTED_FILTERS } from './unsupported-filters.ts'

/** Most parcels over all pages where `dataReads` is `v3`. Source: docs/api.md. */
const WINDOW = 200

const NAMES = {
  lastName: param.text,
  prefix: param.flag,
  firstName: param.text,
  nameContains: param.text,
  fuzzy: param.flag,
} as const

/** The parameters of both searches, before the county and the limit and after them. */
const FIRST = {
  state: STATE,
  ...NAMES,
  former: param.flag,
} as const

const LAST = { offset: OFFSET, fields: FIELDS, explain: param.flag } as const

const LIMIT = { type: 'integer', minimum: 1, default: 10, cap: true } as const

export const premiumOwnerSearch = defineOperation({
  operationId: 'premiumOwnerSearch',
  path: '/public/premium/owner/',
  parameters: {
    ...FIRST,
    county: param.text,
    limit: { ...LIMIT, maximum: 25 },
    ...LAST,
  },
  tokenCost: 1,
  answers: 'list',
  unsupported: UNSUPPORTED_FILTERS,
  check: (values, facts) => ({
    ...readAsked(values, facts),
    fips:
      values.county === undefined
        ? undefined
        : (findCounty(values.state, values.county)?.fips ?? ('unknown' as const)),
    county: values.county,
  }),
  find: (asked, context) => context.queueSearch(() => searchByOwner(asked, context)),
})

export const ownerSearch = defineOperation({
  operationId: 'ownerSearch',
  path: '/public/property/owner/',
  parameters: {
    ...FIRST,
    limit: { ...LIMIT, maximum: 100 },
    ...LAST,
  },
  tokenCost: 1,
  answers: 'list',
  unsupported: UNSUPPORTED_BY_OWNERS,
  check: (values, facts) => ({ ...readAsked(values, facts), fips: undefined }),
  find: (asked, context) => context.queueSearch(() => searchByOwner(asked, context)),
})

type Asked = {
  state: string
  question: OwnerQuestion
  /** A word of the query cannot occur in any recorded name, so nothing is found. */
  unmatchable: boolean
  limit: number
  offset: number
  windowed: boolean
  /** As the caller wrote them, for an explanation. */
  names: AskedNames
  fuzzy: boolean
  prefix: boolean
  former: boolean
  explain: boolean
}

function readAsked(
  values: Values<typeof FIRST & typeof LAST> & { limit: number },
  facts: AccountFacts,
): Asked {
  const { state, lastName, firstName, nameContains, fuzzy, prefix } = values
  const { limit, offset, explain, former } = values
  if (lastName === undefined && nameContains === undefined) {
    throw refuse.badRequest('lastName or nameContains is required')
  }
  // The account's `dataReads` alone decides which rules apply: docs/decisions/http-interface.md.
  const windowed = facts.dataReads === 'v3'
  if (!windowed && nameContains !== undefined) {
    throw refuse.badRequest('nameContains is supported on v3 data reads only')
  }
  if (!windowed && fuzzy) throw refuse.badRequest('fuzzy is supported on v3 data reads only')
  if (windowed && offset + limit > WINDOW) {
    throw refuse.badRequest(`offset + limit must not exceed ${WINDOW}; refine the search instead`)
  }
  const names = { lastName, firstName, nameContains }
  for (const [name, text] of Object.entries(names)) {
    if (text !== undefined && !/[\p{L}\p{N}]/u.test(text)) {
      throw refuse.badRequest(`${name} has no letter or digit to search for`)
    }
  }
  if (prefix) checkPrefix(lastName)
  const unmatchable = Object.values(names).some(isBeyondNames)
  const question = unmatchable ? {} : makeOwnerQuestion({ ...names, fuzzy })
  if (question === undefined) {
    const isLast = makeOwnerQuestion({ lastName, fuzzy }) === undefined && lastName !== undefined
    throw refuse.badRequest(`${isLast ? 'lastName' : 'nameContains'} has no word to search for`)
  }
  const asked = { state, question, unmatchable, names, fuzzy, prefix, former }
  return { ...asked, limit, offset, windowed, explain }
}

function checkPrefix(lastName: string | undefined): void {
  const letters = foldLetters(lastName ?? '').replace(/[^A-Z0-9]/g, '').length
  if (letters < PREFIX_MIN) {
    throw refuse.badRequest(`lastName must have ${PREFIX_MIN} letters or more with prefix=true`)
  }
}

async function searchByOwner(asked: PlacedQuestion, context: RequestContext): Promise<Reply> {
  const { state, limit, offset, windowed, fips, names, fuzzy, prefix, explain } = asked
  const { parcels, layout, startedAt, ownerTimeMs } = context
  if (fips === 'unknown' || asked.unmatchable) throw refuse.notFound(NOT_FOUND, {}, whyNone(asked))
  // The window is the first 200 in order; a header states whether there is a 201st.
  const [skip, want] = windowed ? [0, WINDOW + 1] : [offset, limit]
  const deadline = startedAt + ownerTimeMs
  const trace: OwnerTrace | undefined = explain ? { rounds: [], near: [] } : undefined
  const shownPage = { from: windowed ? offset : 0, count: limit }
  const reader = asked.former ? openFormer(parcels) : parcels
  const where = { parcels: reader, state, fips, deadline, trace, page: shownPage }
  const wanted = { ...names, fuzzy, prefix }
  const owners = await findOwners(wanted, asked.question, { skip, limit: want }, where)
  const { hits, match, question, shown } = owners
  const page = windowed ? hits.slice(offset, offset + limit) : hits
  const ids = page.map(({ id }) => id)
  const known = ids.length === 0 ? [] : shown
  const found = isOf(known, ids) ? known : await reader.byIds(state, ids)
  const details: { explain?: object; held?: Held[] } = {}
  if (trace !== undefined) {
    const search = { state, fips, names, question, trace, found, offset, deadline }
    details.explain = await explainOwners({ ...search, hits: hits.length + skip }, parcels)
  }
  if (found.length === 0) throw refuse.notFound(NOT_FOUND, {}, details)
  if (asked.former) details.held = await listHeld(found, question, parcels)
  const truncated = windowed && hits.length > WINDOW
  return showList(
    found,
    layout,
    { limit, offset, count: found.length, ...details },
    {
      ...(match !== undefined && { 'x-match': match }),
      ...(truncated && { 'x-result-truncated': 'true' }),
    },
  )
}

/** Reports whether the store has already returned these parcels. */
function isOf(shown: StoredParcel[] | undefined, ids: number[]): shown is StoredParcel[] {
  return shown?.length === ids.length && shown.every(({ id }, at) => id === ids[at])
}

const NOT_FOUND = 'No properties found'

type PlacedQuestion = Asked & { fips?: number | 'unknown' | undefined; county?: string | undefined }

/** Returns the explanation when no search is made. */
function whyNone({ explain, fips, state, county }: PlacedQuestion): { explain?: object } {
  if (!explain) return {}
  if (fips === 'unknown') return { explain: explainUnknownCounty(state, county ?? '') }
  const why =
    'The words have letters that no recorded name has, or are longer or more than in any, ' +
    'so nothing was looked for.'
  return { explain: { words: [why, 'Answer: none.'] } }
}

/** Whether no recorded name has all words: more or longer ones than fit, or of another script. */
function isBeyondNames(text = ''): boolean {
  const words = [...new Set(foldLetters(text).match(/[\p{L}\p{N}]+/gu))]
  if (words.length >= WORDS_MAX || words.join(' ').length > TEXT_MAX) return true
  return words.some((word) => word.length > WORD_MAX || !/[A-Z0-9]/.test(word))
}
