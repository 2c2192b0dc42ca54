/** `GET /public/property/lineage/`: what a parcel came from, and what became of it. */
import { refuse } from '../../base/errors.ts'
import { answerOf, type JsonSchema, json } from '../../record/json-schema.ts'
import { EVIDENCE, LINK_KINDS } from '../../store/lineage/link.ts'
import { showDay } from '../../store/versions/versions.ts'
import { listRelatives, RELATIVES_MAX, type Relation, type Relative } from '../find/lineage.ts'
import { asStored } from '../find/read-versions.ts'
import { needSubject, SUBJECT, type Subject } from '../find/subject.ts'
import { findTimeline } from '../find/timeline.ts'
import { defineOperation, type Pause, type Reply, type RequestContext } from '../operation.ts'
import { param } from '../shared-parameters.ts'

const KINDS = [...LINK_KINDS] as const

const EVIDENCES = { type: 'string', enum: [...EVIDENCE] }

function listOf(relation: Relation, others: string): JsonSchema {
  const given = { kind: { type: 'string', enum: KINDS }, evidence: EVIDENCES }
  const { properties, required } = answerOf('relative', given)
  return json.list(
    {
      type: 'object',
      required: ['propertyId', ...(required as string[])],
      properties: {
        propertyId: json.text(`Stable ID of the ${relation}.`),
        ...(properties as object),
        [others]: json.list({ type: 'object' }, 'The next generation.'),
      },
    },
    `Newest first; each with its own \`${others}\` where generations allow.`,
  )
}

const SCHEMA = answerOf('propertyLineage', {
  parents: listOf('parent', 'parents'),
  children: listOf('child', 'children'),
  kind: { type: 'string', enum: [...KINDS, 'none'] },
})

export const propertyLineage = defineOperation({
  operationId: 'propertyLineage',
  path: '/public/property/lineage/',
  parameters: {
    ...SUBJECT,
    generations: param.upTo(5, 1),
  },
  tokenCost: 1,
  answers: { schema: SCHEMA },
  check(values) {
    const subject = needSubject(values)
    return { subject, generations: values.generations }
  },
  find: (asked, context) => context.queueSearch((pause) => answer(asked, context, pause)),
})

type Asked = { subject: Subject; generations: number }

async function answer(
  { subject, generations }: Asked,
  { parcels }: RequestContext,
  pause: Pause,
): Promise<Reply> {
  const timeline = await findTimeline(subject, parcels)
  if (timeline === undefined) throw refuse.notFound('Property not found')
  const { state, propertyId, versions, vintages } = timeline
  const person = { ids: [...new Set(versions.map(({ id }) => id))], propertyId }
  const walkOf = (relation: Relation) => ({ parcels, state, relation, pause, left: RELATIVES_MAX })
  const [up, down] = [walkOf('parent'), walkOf('child')]
  const parents = await listRelatives(up, person, generations)
  const children = await listRelatives(down, person, generations)
  const [oldest] = vintages
  const since = oldest === undefined ? null : showDay(oldest.day)
  const complete = up.left > 0 && down.left > 0
  const body = {
    ...{ propertyId, parents: parents.map(showAs('parents')) },
    ...{ children: children.map(showAs('children')), kind: nameKind(parents, children) },
    metadata: { generations, since, complete },
  }
  const seen = versions.map(asStored).filter((one) => one !== undefined)
  return { body: JSON.stringify(body), headers: {}, seen: seen.slice(0, 1) }
}

function showAs(name: 'parents' | 'children') {
  return function show({ relatives, ...own }: Relative): object {
    return relatives === undefined ? own : { ...own, [name]: relatives.map(show) }
  }
}

function nameKind([parent]: Relative[], [child]: Relative[]): Relative['kind'] | 'none' {
  if (parent === undefined) return child?.kind ?? 'none'
  return child === undefined || child.at < parent.at ? parent.kind : child.kind
}
