/** Hides what is suppressed of one parcel: for imports, rewriting and the last filter. */
import type { SuppressionRules } from '../base/model/suppression.ts'
import type { Parcel } from '../record/parcel.ts'
import { HIDDEN, hideFields } from './hide-fields.ts'
import { type Matcher, openMatcher } from './matcher.ts'
import { openMentions } from './mentions.ts'

/** What a parcel is matched by. */
type Matched = Parameters<Matcher>[0]

export type Hider = ReturnType<typeof openHider>

export function openHider(rules: SuppressionRules) {
  const match = openMatcher(rules)
  const mentions = openMentions(match)
  return {
    match,
    mentions,
    /** Hides the fields of `bits`, and other people named. Returns whether anything was hidden. */
    hide(
      parcel: Parcel,
      bits: number,
      { owners, ...place }: Pick<Matched, 'state' | 'fips' | 'owners'>,
    ) {
      if (bits !== HIDDEN.none) hideFields(parcel, bits, match.namesOf(owners))
      const isNamed = mentions.hide(parcel, place)
      return bits !== HIDDEN.none || isNamed
    },
  }
}

/** Whose keys a new parcel must not have; `all`: the parcel itself is suppressed. */
type Hidden = { all: boolean; owner: boolean; address: boolean }

export function openImportHider(
  rules: SuppressionRules,
): (parcel: Parcel, matched: Matched) => Hidden {
  const { match, hide } = openHider(rules)
  return (parcel, matched) => {
    const bits = match(matched)
    const all = (bits & HIDDEN.all) !== 0
    if (!all) hide(parcel, bits, matched)
    return { all, owner: (bits & HIDDEN.owner) !== 0, address: (bits & HIDDEN.address) !== 0 }
  }
}
