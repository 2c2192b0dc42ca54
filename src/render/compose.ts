/** How a shown value is put together of stored fields and fixed texts. */
import type { Part } from './program.ts'

/** Texts and parts in turn. */
export type Bits = (string | Part)[]
/** A stored field as a part; null: it is not there. */
export type FindField = (name: string) => Part | null
/** What a value is made of in records of one shape; null: the value is null. */
export type Compose = (field: FindField) => Bits | null
