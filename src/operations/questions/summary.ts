/** `GET /public/property/summary/`: counts, sums and medians of groups of parcels. */
import { atEnd } from '../../base/at-end.ts'
import { refuse } from '../../base/errors.ts'
import { foldLetters } from '../../base/fold.ts'
import { answerOf, json } from '../../record/json-schema.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { FactTable } from '../../store/facts/table.ts'
import type { StoredParcel } from '../../store/store.ts'
import { Line } from '../../store/walk/line.ts'
import { FACT_FILTERS, readFactTests } from '../find/fact-filters.ts'
import { PARCEL_FILTERS, readFilters } from '../find/filters.ts'
import { defineOperation, type PausingContext, studyDeadline } from '../operation.ts'
import type { Values } from '../parameters.ts'
import { CIRCLE, readArea, readCircle, SHAPE } from '../places/area.ts'
import { param, STATE } from '../shared-parameters.ts'
import { UNSUPPORTED_FILTERS } from '../unsupported-filters.ts'
import { countHidden, leaveHidden } from './hidden.ts'
import { groupByOwner, nameOwner } from './owner-groups.ts'
import type { Limits } from './pick.ts'
import { type Scope, selectionOf, withTables } from './question.ts'
import { type FactTest, factsOf, type Selection } from './select.ts'
import { type Group, type Grouping, groupBy, type Measure, sumUp } from './sum-up.ts'

const upper = (value: number | string) => foldLetters(String(value)).trim().replace(/\s+/g, ' ')

/** By name; `owner` is grouped by `groupByOwner`. */
const GROUPINGS: Record<Exclude<GroupName, 'owner'>, Grouping> = {
  county: groupBy('county', (fips) => countyByFips(Number(fips))?.name ?? null),
  municipality: groupBy('municipality', upper),
  city: groupBy('city', upper),
  zipCode: groupBy('zip'),
  useStandardCode: groupBy('useCode'),
  ownerType: groupBy('ownerType'),
  ownerState: groupBy('ownerState', upper),
  yearBuiltDecade: groupBy('yearBuilt', (year) => Math.floor(Number(year) / 10) * 10),
}

const GROUP_NAMES = [
  ...(['county', 'municipality', 'city', 'zipCode', 'useStandardCode', 'ownerType'] as const),
  ...(['ownerState', 'yearBuiltDecade', 'owner'] as const),
] as const
type GroupName = (typeof GROUP_NAMES)[number]

const MEASURES: readonly Measure[] = [
  { name: 'sumAcres', fact: 'acres', by: 'sum' },
  { name: 'sumMarketValue', fact: 'marketValue', by: 'sum' },
  { name: 'sumAssessedValue', fact: 'assessedValue', by: 'sum' },
  { name: 'medianMarketValue', fact: 'marketValue', by: 'median' },
  { name: 'medianAssessedValue', fact: 'assessedValue', by: 'median' },
  { name: 'medianSalePrice', fact: 'salePrice', by: 'median' },
  { name: 'ownerOccupiedShare', fact: 'ownerOccupied', by: 'share' },
]
const MEASURE_NAMES = ['count', ...MEASURES.map(({ name }) => name)]

/** Further groups by owner that are read, for those whose owner may not be shown. */
const SPARE = 10

const SCHEMA = answerOf('propertySummary', {
  measures: {
    properties: Object.fromEntries(
      MEASURES.map(({ name }) => [name, json.numberOrNull('A measure asked for.')]),
    ),
  },
})

export const propertySummary = defineOperation({
  operationId: 'propertySummary',
  path: '/public/property/summary/',
  parameters: {
    state: STATE,
    ...PARCEL_FILTERS,
    ...CIRCLE,
    ...SHAPE,
    ...FACT_FILTERS,
    groupBy: {
      type: 'words',
      values: GROUP_NAMES,
      required: true,
    },
    measure: param.words(MEASURE_NAMES),
    orderBy: param.choice(MEASURE_NAMES, 'count'),
    top: param.upTo(100, 25),
  },
  tokenCost: 1,
  answers: { schema: SCHEMA },
  refusals: [400, 503],
  unsupported: UNSUPPORTED_FILTERS,
  check(values) {
    const groups = [...new Set(values.groupBy)] as GroupName[]
    if (groups.length > 2) throw refuse.badRequest('groupBy takes one or two names')
    const { measure = [], orderBy, top } = values
    const asked = new Set([...measure, orderBy])
    const measures = MEASURES.filter(({ name }) => asked.has(name))
    const tests = readFactTests(values)
    return { values, groups, measures, orderBy, top, tests, area: readPlace(values) }
  },
  async find({ values, area, ...asked }, context) {
    const filter = readFilters(values, context)
    const scope: Scope = {
      states: filter === undefined ? [] : [values.state],
      filter: { ...filter, assignedOnly: false },
      area,
    }
    if (!(await LINE.enter(context.startedAt + context.searchTimeMs))) {
      throw refuse.unavailable('Too many searches at once; try again shortly')
    }
    using _end = atEnd(() => LINE.leave())
    return await context.queueSearch((pause) =>
      withTables(scope.states, context, async (tables) => {
        const table = tables.get(values.state)
        return table === undefined
          ? showGroups([], { total: 0, groups: 0, complete: true })
          : summarize(table, scope, asked, { ...context, pause })
      }),
    )
  },
})

/** One at a time: the numbers of many at once are a heap that stops the worker to be cleaned. */
const LINE = new Line(1)

/** Reads a circle, box or polygon; `undefined` for none. Throws *bad request*. */
function readPlace(values: Values<typeof CIRCLE & typeof SHAPE>): Scope['area'] {
  const [circle, shape] = [readCircle(values), readArea(values)]
  if (circle !== undefined && shape !== undefined) {
    throw refuse.badRequest('A circle, bbox and polygon exclude each other; send one of them')
  }
  return circle ?? shape
}

type Asked = {
  groups: GroupName[]
  measures: Measure[]
  orderBy: string
  top: number
  tests: FactTest[]
}

async function summarize(table: FactTable, scope: Scope, asked: Asked, context: PausingContext) {
  const { parcels } = context
  const selection = selectionOf(scope, asked.tests)
  const limits = { pause: context.pause, deadline: studyDeadline(context) }
  const groupings = await openGroupings(table, asked.groups, selection, limits)
  const { measures, orderBy } = asked
  const orderAt = measures.findIndex(({ name }) => name === orderBy)
  const wanted = { selection, groupings, measures, orderAt, most: asked.top + SPARE }
  const summed = await sumUp(table, wanted, limits)
  const [state = ''] = scope.states
  const total = summed.total - (await countHidden([state, table], selection, parcels, limits))
  const metadata = { total, groups: summed.count, complete: !summed.outOfTime }
  const byOwner = asked.groups.indexOf('owner')
  const shown = summed.groups
  if (byOwner === -1) {
    const facts = [...factsOf(selection), ...groupings.flatMap((one) => one.facts)]
    const open = await leaveHidden(shown, ({ firstId }) => firstId, facts, { state, parcels })
    return showGroups(
      open.slice(0, asked.top).map((one) => showGroup(one, asked)),
      metadata,
    )
  }
  const ids = [...new Set(shown.map(({ firstId }) => firstId))]
  const records = await parcels.byIds(state, ids)
  const found = new Map(records.map((one) => [one.id, one]))
  const named = shown.flatMap((group) => {
    const parcel = found.get(group.firstId)
    const name = parcel && nameOwner(parcel)
    if (parcel === undefined || name === undefined) return []
    const key = group.key.with(byOwner, name)
    return [{ parcel, shown: showGroup({ ...group, key }, asked) }]
  })
  const page = named.slice(0, asked.top)
  const seen = page.map(({ parcel }) => parcel)
  return showGroups(
    page.map((one) => one.shown),
    metadata,
    seen,
  )
}

async function openGroupings(
  table: FactTable,
  names: readonly GroupName[],
  selection: Selection,
  limits: Limits,
): Promise<Grouping[]> {
  const opened: Grouping[] = []
  for (const name of names) {
    opened.push(name === 'owner' ? await groupByOwner(table, selection, limits) : GROUPINGS[name])
  }
  return opened
}

function showGroup({ key, count, values }: Group, { groups, measures }: Asked): object {
  return {
    key: Object.fromEntries(groups.map((name, at) => [name, key[at] ?? null])),
    count,
    ...Object.fromEntries(measures.map(({ name }, at) => [name, values[at] ?? null])),
  }
}

function showGroups(groups: object[], metadata: object, seen: StoredParcel[] = []) {
  return { body: JSON.stringify({ groups, metadata }), headers: {}, seen }
}
