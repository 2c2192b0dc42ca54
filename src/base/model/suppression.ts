/** Suppressions: people and parcels that an operator hides. Source: docs/privacy.md. */

/** The kind of suppression: a person or organization, an address, or one property. */
export const SUPPRESSION_KINDS = ['owner', 'address', 'property'] as const
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number]
/** What is hidden of a parcel: its owners, its address, or the whole parcel. */
export const SUPPRESSION_SCOPES = ['owner', 'address', 'both'] as const
export type SuppressionScope = (typeof SUPPRESSION_SCOPES)[number]

/** A stored suppression: only hashes, no clear name. */
export type Suppression = {
  /** `sup_` and hex digits; `reg_` when a registry gave a hash instead of the text. */
  id: string
  kind: SuppressionKind
  scope: SuppressionScope
  /** Two letters; `''`: every state. */
  state: string
  /** County; 0: every county. */
  fips: number
  /** For each matching form HMAC-SHA-256 and a keyed 32-bit checksum, in 72 hex digits, joined. */
  hashes: string
  /** The law or order, as the operator writes it. */
  basis: string
  /** Epoch milliseconds. */
  createdAt: number
  /** `YYYY-MM-DD`, the last day; null: without end. */
  until: string | null
  /** Epoch milliseconds; null: in force. */
  endedAt: number | null
}

/** What parcels are compared with. `id`: of one of the suppressions with these hashes. */
export type StoredRule = Pick<Suppression, 'id' | 'kind' | 'scope' | 'hashes'>

/** Input of an import: plain data, for its threads. */
export type SuppressionRules = {
  secret: Uint8Array
  rules: Omit<StoredRule, 'id'>[]
  /** How a registry hashes, if some rules are its hashes. */
  recipe?: string
}

/** Prefix of suppression ids made from a registry's hash. */
export const REGISTERED = 'reg_'

/** Hex digits of a checksum, and of a form in a stored suppression with it. */
export const TAG_DIGITS = 8
export const FORM_DIGITS = 64 + TAG_DIGITS
