/** `GET /public/premium/network/`: owners that share mailing addresses or care-of names. */
import { refuse } from '../../base/errors.ts'
import { answerOf, json } from '../../record/json-schema.ts'
import { propertyIdOf } from '../../record/stored.ts'
import { countyByFips } from '../../regions/counties.ts'
import { needParcel, needSubject, SUBJECT } from '../find/subject.ts'
import { defineOperation, type PausingContext, type Reply, studyDeadline } from '../operation.ts'
import { param } from '../shared-parameters.ts'
import { type Found, growNetwork, type Link, type Node } from './grow-network.ts'
import { labelNode, openJudge, readFips, readRecords } from './network-labels.ts'
import { nameOwner } from './owner-groups.ts'
import { withTables } from './question.ts'

/** Properties listed of each node. */
const PROPERTIES_MAX = 10

const SCHEMA = answerOf('ownerNetwork', {
  properties: json.texts(`Property IDs of its first ${PROPERTIES_MAX} parcels.`),
})

export const ownerNetwork = defineOperation({
  operationId: 'ownerNetwork',
  path: '/public/premium/network/',
  parameters: {
    ...SUBJECT,
    depth: {
      type: 'integer',
      minimum: 1,
      maximum: 3,
      default: 2,
    },
    scope: param.choice(['county', 'state'], 'state'),
  },
  tokenCost: 1,
  answers: { schema: SCHEMA },
  check(values) {
    const subject = needSubject(values)
    return { ...values, subject }
  },
  find: ({ subject, depth, scope }, context) =>
    context.queueSearch(async (pause) => {
      const parcel = await needParcel(subject, context.parcels)
      const fips = readFips(parcel)
      const state = countyByFips(fips)?.state ?? ''
      return withTables([state], context, async (tables) => {
        const table = tables.get(state)
        if (table === undefined) throw refuse.notFound('Property not found')
        const within = scope === 'county' ? fips : undefined
        const limits = { pause, deadline: studyDeadline(context) }
        const judge = openJudge(state, context.parcels, limits)
        const isNamed = nameOwner(parcel) !== undefined
        const asked = { id: parcel.id, fips: within, depth, isNamed }
        const grown = await growNetwork(table, asked, { ...limits, judge })
        return showNetwork(state, grown, { ...context, pause })
      })
    }),
})

async function showNetwork(state: string, grown: Found, context: PausingContext): Promise<Reply> {
  const ids = grown.nodes.flatMap(({ parcels }) => parcels.slice(0, PROPERTIES_MAX))
  const records = await readRecords(state, [...new Set(ids)], context.parcels, {
    pause: context.pause,
    deadline: Number.POSITIVE_INFINITY,
  })
  const labelled = grown.nodes.flatMap((node) => {
    const known = node.parcels.slice(0, PROPERTIES_MAX).flatMap((id) => records.get(id) ?? [])
    // A suppression may hide what a parcel has in common with the node.
    const own = known.filter((one) => labelNode(node.kind, one) !== undefined)
    const [first] = own
    const label = first && labelNode(node.kind, first)
    return label === undefined ? [] : [{ node, label, own }]
  })
  const names = new Map(labelled.map(({ node }, at) => [node, `${node.kind}-${at + 1}`]))
  const nodes = labelled.map(({ node, label, own }) => ({
    ...{ id: names.get(node), kind: node.kind, label, parcels: node.parcels.length },
    properties: own.map(({ fieldValues }) => propertyIdOf(fieldValues)),
  }))
  const left = labelled.flatMap(({ node }) =>
    node.left === undefined ? [] : [{ node: names.get(node), why: node.left }],
  )
  const edges = grown.links.flatMap((link) => showLink(link, names))
  const metadata = { complete: grown.complete, left }
  const seen = labelled.flatMap(({ own }) => own)
  return { body: JSON.stringify({ nodes, edges, metadata }), headers: {}, seen }
}

function showLink({ from, to, parcels }: Link, names: ReadonlyMap<Node, string>): object[] {
  const [one, other] = [names.get(from), names.get(to)]
  if (one === undefined || other === undefined) return []
  const reason = to.kind === 'careOf' ? 'care of' : 'mailing address'
  return [{ from: one, to: other, reason, weight: parcels }]
}
