/** Facts that a suppression hides. */
import { FACTS, type FactName } from '../../record/facts.ts'
import { openFields } from '../../record/stored.ts'
import type { StoredParcel } from '../../store/store.ts'

const readSuppressed = openFields(['suppressed'])

/**
 * Reports whether a record as it may be shown hides one of these facts. Its stored facts may still
 * have it, until the suppression is in effect on the store.
 */
export function hidesAny(parcel: StoredParcel, facts: readonly FactName[]): boolean {
  const { suppressed } = readSuppressed(parcel.fieldValues)
  if (suppressed.length === 0) return false
  return facts.some((fact) => {
    const { hiddenWith } = FACTS[fact] as { hiddenWith?: string }
    return hiddenWith !== undefined && suppressed.includes(hiddenWith)
  })
}
