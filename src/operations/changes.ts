/** `GET /public/changes/`: changes made by imports, parcel by parcel, in order. */
import { dayOf } from '../base/days.ts'
import { refuse, STATUS } from '../base/errors.ts'
import { CHANGE_GROUPS, type ChangeGroup, groupBit, groupsOf } from '../base/model/changes.ts'
import { showId } from '../base/model/record-id.ts'
import { answerOf } from '../record/json-schema.ts'
import { findCounty, fipsCode } from '../regions/counties.ts'
import { DAY_S, type StoredChange } from '../store/changes.ts'
import { readEntryCursor } from './cursor.ts'
import { defineOperation, type RequestContext } from './operation.ts'
import type { Values } from './parameters.ts'
import { param, STATE } from './shared-parameters.ts'

const PARAMETERS = {
  state: STATE,
  county: param.text,
  groups: param.text,
  since: param.day,
  cursor: {
    type: 'string',
    mayBeEmpty: true,
  },
  limit: param.upTo(1000, 100),
} as const

export const changes = defineOperation({
  operationId: 'changes',
  path: '/public/changes/',
  parameters: PARAMETERS,
  answers: {
    schema: answerOf('changes', { group: { type: 'string', enum: [...CHANGE_GROUPS] } }),
  },
  refusals: [400, 410, 503],
  check,
  find,
})

type Query = ReturnType<typeof check>

function check({ state, county, groups, since, cursor = '', limit }: Values<typeof PARAMETERS>) {
  if (since !== undefined && cursor !== '') {
    throw refuse.badRequest('since and cursor cannot be used together')
  }
  const after = readEntryCursor(cursor)
  return {
    state,
    // No county has the code 0, so an unrecognized one finds nothing.
    fips: county === undefined ? undefined : Number(findCounty(state, county)?.fips ?? 0),
    groups: groups === undefined ? undefined : readGroups(groups),
    since: since === undefined ? undefined : Number(dayOf(since.trim())) * DAY_S,
    after: cursor === '' ? undefined : after,
    limit,
  }
}

function readGroups(text: string): number {
  return text.split(',').reduce((bits, one) => {
    const group = one.trim().toLowerCase()
    if (!(CHANGE_GROUPS as readonly string[]).includes(group)) {
      const groups = CHANGE_GROUPS.join(', ')
      throw refuse.badRequest(`groups must be some of: ${groups}; not ${group.slice(0, 40)}`)
    }
    return bits | groupBit(group as ChangeGroup)
  }, 0)
}

async function find(query: Query, { parcels, now, changesDays }: RequestContext) {
  const { state, fips, groups, since, after, limit } = query
  const keptFrom = Math.floor(now / 1000) - changesDays * DAY_S
  const question = { state, fips, groups, limit, after: after ?? 0 }
  const page = await parcels.changes({ ...question, since: Math.max(keptFrom, since ?? 0) })
  const { last } = page
  // The store returns the oldest change that matches the request.
  const begin = { state, fips: undefined, groups: undefined, limit: 1, after: 0, since: keptFrom }
  const { oldest } = since === undefined ? page : await parcels.changes(begin)
  if (after !== undefined && after < oldest - 1) {
    const error = 'Changes after this cursor were deleted; read all parcels again'
    return {
      status: STATUS.gone,
      body: JSON.stringify({ error, oldestSequence: oldest }),
      headers: {},
    }
  }
  const newest = page.changes.at(-1)?.sequence
  const isWhole = page.changes.length < limit
  const metadata = {
    state,
    limit,
    count: page.changes.length,
    nextCursor: String(isWhole || newest === undefined ? Math.max(last, after ?? 0) : newest),
    oldestSequence: oldest,
    lastSequence: last,
  }
  const body = JSON.stringify({ changes: page.changes.map(showChange), metadata })
  return { body, headers: {} }
}

function showChange(change: StoredChange) {
  const { sequence, propertyId, id, what, groups, fips, municipality, parcels, loadedAt } = change
  return {
    sequence,
    propertyId,
    id: id === null ? null : showId(id),
    what,
    groups: groupsOf(groups),
    county: fipsCode(fips),
    municipality: municipality === '' ? null : municipality,
    ...(parcels === null ? {} : { parcels }),
    loadedAt: new Date(loadedAt * 1000).toISOString(),
    import: change.import,
  }
}
