/** Everything that the package exports. */
export * from './errors.ts'
export type { FlatProperty, NestedProperty, Operations } from './generated.ts'
export { type Page, PropertyList } from './list.ts'
export { type BatchResult, type BatchRow, Platbook, type PlatbookOptions } from './platbook.ts'
export type { Answer, CallOptions, Meta, Query, WithMeta } from './request.ts'
export type {
  Watch,
  WatchAsked,
  WatchDelivery,
  WatchEvent,
  WatchEvents,
  WatchPatch,
} from './watches.ts'
