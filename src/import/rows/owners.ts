/** Reads owner slots. */
import type { NameEvidence, NameOrder, OwnersReading } from '../../base/model/owner.ts'
import { indexOwners, readOwners } from '../../owner/canonical.ts'
import { encodeOwners, ownerOf } from '../../store/parcel-keys.ts'

/** The result of reading a parcel's owner slots. */
export type ReadOwners = Pick<OwnersReading, 'ownerType' | 'careOf' | 'careOfSlots'> & {
  /** Of the first owner, if that is a person. */
  firstName: string | null
  lastName: string | null
  /** As `encodeOwners` writes them. */
  keys: string
  /** The number that `ownerOf` gives the first of them. */
  owner: number
}

type OwnerReader = (slot1: string | null, slot2: string | null, order: NameOrder) => ReadOwners

/**
 * Returns the function that reads owners. `evidence`: names learned in the first pass. The last
 * result is kept, because one owner's parcels are often consecutive.
 */
export function ownerReader(evidence: NameEvidence | undefined): OwnerReader {
  let last: { asked: Parameters<OwnerReader>; read: ReadOwners } | undefined
  return (slot1, slot2, order) => {
    const [known1, known2, knownOrder] = last?.asked ?? []
    if (last !== undefined && slot1 === known1 && slot2 === known2 && order === knownOrder) {
      return last.read
    }
    const reading = readOwners([slot1, slot2], order, evidence)
    const { ownerType, careOf, careOfSlots } = reading
    const index = indexOwners(reading)
    const { firstName, lastName } = nameFirst(reading)
    const [keys, owner] = [encodeOwners(index), ownerOf(index)]
    const read = { ownerType, careOf, careOfSlots, firstName, lastName, keys, owner }
    last = { asked: [slot1, slot2, order], read }
    return read
  }
}

function nameFirst({ slots: [first] }: OwnersReading): Pick<ReadOwners, 'firstName' | 'lastName'> {
  const person = first?.organization === null ? first.persons[0] : undefined
  return { firstName: person?.given[0] ?? null, lastName: person?.surname || null }
}
