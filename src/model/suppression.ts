/**
 * People and parcels that must not be found: what an operator asks to hide. Source:
 * docs/privacy.md.
 */

/** What is asked to be hidden: a person or organization, an address, or one property. */
export type SuppressionKind = 'owner' | 'address' | 'property'
/** What of a parcel is hidden: its owners, its address, or the whole parcel. */
export type SuppressionScope = 'owner' | 'address' | 'both'

/** One suppression as it is kept: hashes only, no clear name. */
export type Suppression = {
  /** `sup_` and hex digits; `reg_` where a registry gave a hash in place of the text. */
  id: string
  kind: SuppressionKind
  scope: SuppressionScope
  /** Two letters; `''`: every state. */
  state: string
  /** County; 0: every county. */
  fips: number
  /**
   * Of each form that is meant HMAC-SHA-256 and a keyed checksum of 32 bits, by which most parcels
   * are passed over: 72 hex digits each, side by side.
   */
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

/** What a parcel is compared with. `id`: of one of the suppressions whose hashes these are. */
export type StoredRule = Pick<Suppression, 'id' | 'kind' | 'scope' | 'hashes'>

/** What an import needs: plain data, for its threads. */
export type SuppressionRules = {
  secret: Uint8Array
  rules: Omit<StoredRule, 'id'>[]
  /** How a registry hashes; where some of the rules are its hashes. */
  recipe?: string
}
