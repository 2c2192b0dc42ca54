/** How a shown value is composed of stored fields and fixed texts. */
import type { Part } from './program.ts'

/** Texts and parts alternately. */
export type Bits = (string | Part)[]
/** Returns a stored field as a part; null when it is absent. */
export type FindField = (name: string) => Part | null
/** Returns the composition of a value for records of one shape; null when the value is null. */
export type Compose = (field: FindField) => Bits | null
