/** JSON schemas of watches and their events. */
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import { type JsonSchema, json } from '../../record/json-schema.ts'
import { WATCH_KINDS } from '../../store/accounts/watch-store.ts'

const TEXT: JsonSchema = { type: 'string' }
const GROUPS: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: [...CHANGE_GROUPS] },
}

const DELIVERY: JsonSchema = json.object(
  {
    id: json.text('Its `webhook-id`, the same for every attempt.'),
    status: json.oneOf(
      ['pending', 'delivered', 'failed'],
      'Whether it is still tried, arrived, or was given up.',
    ),
    events: json.integer('Number of events.'),
    attempts: json.integer('Attempts made.'),
    answer: json.textOrNull("Of the last attempt: the receiver's status, or why there is none."),
    nextAttemptAt: json.timeOrNull('Null when it has ended.'),
    createdAt: json.time('When the first attempt was due, UTC.'),
    endedAt: json.timeOrNull('When it arrived or was given up.'),
  },
  'One POST of up to 100 events.',
  ['answer', 'nextAttemptAt', 'endedAt'],
)

const MEMBERS: Record<string, JsonSchema> = {
  id: json.text('Id of the watch.'),
  name: json.text('Its name, for people.'),
  kind: json.oneOf(WATCH_KINDS, 'What it watches.'),
  propertyIds: json.list(TEXT, 'With kind parcels; not in the list of watches.'),
  parcels: json.integer('With kind parcels: how many it lists.'),
  owner: { type: ['string', 'object'], description: 'With kind owner, as it was sent.' },
  state: json.text('With kind owner: the state, if one was sent.'),
  county: json.text('With kind owner: the county, if one was sent.'),
  shape: { type: 'object', description: 'With kind shape: a GeoJSON polygon.' },
  search: json.text('With kind search: the query string.'),
  groups: { ...GROUPS, description: 'Groups of fields whose changes are heard of.' },
  url: json.textOrNull('Where events are sent.'),
  status: json.oneOf(
    ['active', 'failing'],
    '`failing`: the last attempt of a delivery failed, and nothing more is sent.',
  ),
  createdAt: json.time('When it was made, UTC.'),
}
const REQUIRED = ['id', 'name', 'kind', 'groups', 'url', 'status', 'createdAt']

export const WATCH: JsonSchema = {
  type: 'object',
  required: REQUIRED,
  properties: {
    ...MEMBERS,
    deliveries: json.list(DELIVERY, 'The newest 20, newest first.'),
  },
}

export const ONE: JsonSchema = {
  type: 'object',
  required: REQUIRED,
  properties: {
    ...MEMBERS,
    secret: json.text('`whsec_…`, which signs deliveries; only in the answer that made it.'),
    oldSecretUntil: json.time('Until when the secret before it signs too.'),
  },
}

export const WATCHES: JsonSchema = json.object({
  watches: json.list({ type: 'object', required: REQUIRED, properties: MEMBERS }, 'Oldest first.'),
  metadata: json.object(
    {
      count: json.integer('Number of watches.'),
      watchesMax: json.integer('Most watches.'),
      parcels: json.integer('Parcels that they list.'),
      watchedParcelsMax: json.integer('Most parcels that they may list.'),
    },
    'What the account has, and what it may have.',
  ),
})

const EVENT: JsonSchema = json.object(
  {
    id: json.text('The same however often it is sent or read.'),
    type: json.text(
      '`parcel.` and `changed`, `added`, `removed`, `split`, `merged` or `renumbered`; ' +
        '`county.loaded` for the first load of a county, `county.unloaded` after an unload.',
    ),
    watch: json.text('Id of the watch.'),
    propertyId: json.textOrNull('Null for `county.loaded`.'),
    county: json.text('Five-digit FIPS code.'),
    at: json.time('When the import ended.'),
    groups: { ...GROUPS, description: 'Groups of fields that changed.' },
    children: json.list(
      TEXT,
      'Of a parcel that was split, merged or renumbered: what its land became.',
    ),
    changes: json.list(
      json.object({
        field: json.text('Name of the field.'),
        from: { description: 'What it was; null: unknown.' },
        to: { description: 'What it is.' },
      }),
      'Fields with what they were and are; empty for whole parcels.',
    ),
  },
  undefined,
  ['county', 'children'],
)

export const EVENTS: JsonSchema = json.object({
  events: json.list(EVENT, 'Oldest first.'),
  metadata: json.object(
    {
      limit: json.integer('Applied page size.'),
      count: json.integer('Number of events in this answer.'),
      nextCursor: json.text('Cursor of the next request; also on the last page.'),
    },
    'Page size as applied, and the cursor of the next request.',
  ),
})

export const TESTED: JsonSchema = json.object({
  delivered: json.boolean('Whether the receiver answered 2xx.'),
  answer: json.text("The receiver's status, or why there is none."),
})
