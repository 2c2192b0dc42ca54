/** Everything that the package exports. */
export * from './errors.ts'
export type { FlatProperty, NestedProperty, Operations } from './generated.ts'
export { type Page, PropertyList } from './list.ts'
export { Platbook, type PlatbookOptions, type WithMeta } from './platbook.ts'
export type { Answer, CallOptions, Meta, Query } from './request.ts'
