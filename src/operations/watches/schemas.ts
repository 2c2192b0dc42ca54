import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import { answerOf, type JsonSchema, json } from '../../record/json-schema.ts'
import { WATCH_KINDS } from '../../store/accounts/watch-store.ts'

const GROUPS: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: [...CHANGE_GROUPS] },
}

const GIVEN = { kind: { type: 'string', enum: [...WATCH_KINDS] }, groups: GROUPS }

function watchWith(more: Record<string, JsonSchema>): JsonSchema {
  const { properties, required } = answerOf('watch', GIVEN)
  return { type: 'object', required, properties: { ...(properties as object), ...more } }
}

const DELIVERY = { ...answerOf('delivery'), description: 'One POST of up to 100 events.' }

export const WATCH = watchWith({
  deliveries: json.list(DELIVERY, 'The newest 20, newest first.'),
})

export const ONE = watchWith({
  secret: json.text('`whsec_…`, which signs deliveries; only in the answer that made it.'),
  oldSecretUntil: json.time('Until when the secret before it signs too.'),
})

export const WATCHES = answerOf('listWatches', GIVEN)
export const EVENTS = answerOf('watchEvent', { groups: GROUPS })
export const TESTED = answerOf('testWatch')
