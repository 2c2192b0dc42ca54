/** JSON schemas of watches and their events. */
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import type { JsonSchema } from '../../record/schema.ts'
import { WATCH_KINDS } from '../../store/accounts/watch-store.ts'

const TEXT: JsonSchema = { type: 'string' }
const TIME: JsonSchema = { type: 'string', format: 'date-time' }
const GROUPS: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: [...CHANGE_GROUPS] },
}

const DELIVERY: JsonSchema = {
  type: 'object',
  description: 'One POST of up to 100 events.',
  required: ['id', 'status', 'events', 'attempts', 'createdAt'],
  properties: {
    id: { ...TEXT, description: 'Its `webhook-id`, the same for every attempt.' },
    status: {
      type: 'string',
      enum: ['pending', 'delivered', 'failed'],
      description: 'Whether it is still tried, arrived, or was given up.',
    },
    events: { type: 'integer', description: 'Number of events.' },
    attempts: { type: 'integer', description: 'Attempts made.' },
    answer: {
      type: ['string', 'null'],
      description: "Of the last attempt: the receiver's status, or why there is none.",
    },
    nextAttemptAt: { ...TIME, type: ['string', 'null'], description: 'Null when it has ended.' },
    createdAt: { ...TIME, description: 'When the first attempt was due, UTC.' },
    endedAt: { ...TIME, type: ['string', 'null'], description: 'When it arrived or was given up.' },
  },
}

const MEMBERS: Record<string, JsonSchema> = {
  id: { ...TEXT, description: 'Id of the watch.' },
  name: { ...TEXT, description: 'Its name, for people.' },
  kind: { type: 'string', enum: [...WATCH_KINDS], description: 'What it watches.' },
  propertyIds: {
    type: 'array',
    items: TEXT,
    description: 'With kind parcels; not in the list of watches.',
  },
  parcels: { type: 'integer', description: 'With kind parcels: how many it lists.' },
  owner: { type: ['string', 'object'], description: 'With kind owner, as it was sent.' },
  state: { ...TEXT, description: 'With kind owner: the state, if one was sent.' },
  county: { ...TEXT, description: 'With kind owner: the county, if one was sent.' },
  shape: { type: 'object', description: 'With kind shape: a GeoJSON polygon.' },
  search: { ...TEXT, description: 'With kind search: the query string.' },
  groups: { ...GROUPS, description: 'Groups of fields whose changes are heard of.' },
  url: { type: ['string', 'null'], description: 'Where events are sent.' },
  status: {
    type: 'string',
    enum: ['active', 'failing'],
    description: '`failing`: the last attempt of a delivery failed, and nothing more is sent.',
  },
  createdAt: { ...TIME, description: 'When it was made, UTC.' },
}
const REQUIRED = ['id', 'name', 'kind', 'groups', 'url', 'status', 'createdAt']

export const WATCH: JsonSchema = {
  type: 'object',
  required: REQUIRED,
  properties: {
    ...MEMBERS,
    deliveries: { type: 'array', items: DELIVERY, description: 'The newest 20, newest first.' },
  },
}

/** The answer to making or changing a watch. */
export const ONE: JsonSchema = {
  type: 'object',
  required: REQUIRED,
  properties: {
    ...MEMBERS,
    secret: {
      ...TEXT,
      description: '`whsec_…`, which signs deliveries; only in the answer that made it.',
    },
    oldSecretUntil: { ...TIME, description: 'Until when the secret before it signs too.' },
  },
}

export const WATCHES: JsonSchema = {
  type: 'object',
  required: ['watches', 'metadata'],
  properties: {
    watches: {
      type: 'array',
      items: { type: 'object', required: REQUIRED, properties: MEMBERS },
      description: 'Oldest first.',
    },
    metadata: {
      type: 'object',
      description: 'What the account has, and what it may have.',
      required: ['count', 'watchesMax', 'parcels', 'watchedParcelsMax'],
      properties: {
        count: { type: 'integer', description: 'Number of watches.' },
        watchesMax: { type: 'integer', description: 'Most watches.' },
        parcels: { type: 'integer', description: 'Parcels that they list.' },
        watchedParcelsMax: { type: 'integer', description: 'Most parcels that they may list.' },
      },
    },
  },
}

const EVENT: JsonSchema = {
  type: 'object',
  required: ['id', 'type', 'watch', 'propertyId', 'at', 'groups', 'changes'],
  properties: {
    id: { ...TEXT, description: 'The same however often it is sent or read.' },
    type: {
      ...TEXT,
      description:
        '`parcel.` and `changed`, `added`, `removed`, `split`, `merged` or `renumbered`; ' +
        '`county.loaded` for the first load of a county, `county.unloaded` after an unload.',
    },
    watch: { ...TEXT, description: 'Id of the watch.' },
    propertyId: { type: ['string', 'null'], description: 'Null for `county.loaded`.' },
    county: { ...TEXT, description: 'Five-digit FIPS code.' },
    at: { ...TIME, description: 'When the import ended.' },
    groups: { ...GROUPS, description: 'Groups of fields that changed.' },
    children: {
      type: 'array',
      items: TEXT,
      description: 'Of a parcel that was split, merged or renumbered: what its land became.',
    },
    changes: {
      type: 'array',
      description: 'Fields with what they were and are; empty for whole parcels.',
      items: {
        type: 'object',
        required: ['field', 'from', 'to'],
        properties: {
          field: { ...TEXT, description: 'Name of the field.' },
          from: { description: 'What it was; null: unknown.' },
          to: { description: 'What it is.' },
        },
      },
    },
  },
}

export const EVENTS: JsonSchema = {
  type: 'object',
  required: ['events', 'metadata'],
  properties: {
    events: { type: 'array', items: EVENT, description: 'Oldest first.' },
    metadata: {
      type: 'object',
      description: 'Page size as applied, and the cursor of the next request.',
      required: ['limit', 'count', 'nextCursor'],
      properties: {
        limit: { type: 'integer', description: 'Applied page size.' },
        count: { type: 'integer', description: 'Number of events in this answer.' },
        nextCursor: { ...TEXT, description: 'Cursor of the next request; also on the last page.' },
      },
    },
  },
}

export const TESTED: JsonSchema = {
  type: 'object',
  required: ['delivered', 'answer'],
  properties: {
    delivered: { type: 'boolean', description: 'Whether the receiver answered 2xx.' },
    answer: { ...TEXT, description: "The receiver's status, or why there is none." },
  },
}
