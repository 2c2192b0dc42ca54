/** People and parcels that must not be found: what an operator asks to hide. Source: docs/privacy.md. */

export type SuppressionKind = 'owner' | 'address' | 'property'
export type SuppressionScope = 'owner' | 'address' | 'both'

export type Suppression = {
  /** `sup_` and letters. */
  id: string
  kind: SuppressionKind
  scope: SuppressionScope
  /** Two letters; `''`: every state. */
  state: string
  /** County; 0: every county. */
  fips: number
  /**
   * Of each form that is meant HMAC-SHA-256 and a keyed checksum of 32 bits, by which most parcels are passed over: 72 hex
   * digits each, side by side.
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

/** What an import needs: plain data, for its threads. */
export type SuppressionRules = {
  secret: Uint8Array
  rules: Pick<Suppression, 'kind' | 'scope' | 'hashes'>[]
}
