/** The stored hashes of suppressions as a hash table, looked up by checksum. */
import {
  FORM_DIGITS,
  type SuppressionRules,
  type SuppressionScope,
  TAG_DIGITS,
} from '../base/model/suppression.ts'

const BITS: Record<SuppressionScope, number> = { owner: 1, address: 2, both: 4 }

const HASH_DIGITS = FORM_DIGITS - TAG_DIGITS

/** The suppressed forms by checksum, in a hash table of numbers: a map takes too long to build. */
export function tabulateForms(rules: SuppressionRules['rules']) {
  const count = rules.reduce((sum, { hashes }) => sum + hashes.length / FORM_DIGITS, 0)
  const slots = 2 ** Math.ceil(Math.log2(count * 2 + 16))
  const tags = new Uint32Array(slots)
  const ruleOf = new Uint32Array(slots)
  const offsets = new Uint32Array(slots)
  // Stays in the processor's cache and excludes nearly all checksums.
  const bits = new Uint32Array(slots / 8)
  const spread = slots * 4 - 1
  const next = (slot: number) => (slot + 1) & (slots - 1)
  for (const [at, { hashes }] of rules.entries()) {
    for (let offset = 0; offset < hashes.length; offset += FORM_DIGITS) {
      const own = tagAt(hashes, offset + HASH_DIGITS)
      let slot = own & (slots - 1)
      while (tags[slot] !== 0) slot = next(slot)
      tags[slot] = own
      const bit = own & spread
      bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31))
      ruleOf[slot] = at
      offsets[slot] = offset
    }
  }
  return {
    holds(checksum: number): boolean {
      const wanted = checksum || ZERO_TAG
      const bit = wanted & spread
      if (((bits[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false
      let slot = wanted & (slots - 1)
      while (tags[slot] !== wanted && tags[slot] !== 0) slot = next(slot)
      return tags[slot] === wanted
    },
    /** Returns what is suppressed for a hash. */
    scopesOf(checksum: number, hash: string): number {
      const wanted = checksum || ZERO_TAG
      let scopes = 0
      for (let slot = wanted & (slots - 1); tags[slot] !== 0; slot = next(slot)) {
        if (tags[slot] !== wanted) continue
        const rule = rules[ruleOf[slot] as number] as SuppressionRules['rules'][number]
        if (rule.hashes.startsWith(hash, offsets[slot])) scopes |= BITS[rule.scope]
      }
      return scopes
    },
  }
}

/** Replaces the checksum 0, which marks an empty slot. */
const ZERO_TAG = 1

/** Reads the hex digits of a checksum. */
function tagAt(hashes: string, from: number): number {
  let tag = 0
  for (let at = from; at < from + TAG_DIGITS; at += 1) {
    const code = hashes.charCodeAt(at)
    // `0` is 0x30 and `a` 0x61.
    tag = (tag << 4) | (code < 0x3a ? code - 0x30 : code - 0x57)
  }
  return tag >>> 0 || ZERO_TAG
}
