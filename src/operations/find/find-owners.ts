/** Finds parcels by an owner's name: as given in parts, or as a person's whole name. */
import { refuse } from '../../base/errors.ts'
import { foldLetters } from '../../base/fold.ts'
import type { OwnerQuestion, OwnerTrace } from '../../base/model/owner.ts'
import { readFullName } from '../../owner/full-name.ts'
import { makeOwnerQuestion, type OwnerParams } from '../../owner/owner-question.ts'
import type {
  FoundOwners,
  OwnerHit,
  OwnerPage,
  ParcelReader,
  StoredParcel,
} from '../../store/store.ts'

/** Fewest letters of a surname prefix. */
export const PREFIX_MIN = 3
/** Most recorded surnames with the prefix; a prefix of more is refused. */
const SURNAMES_MAX = 1000

type AskedOwner = OwnerParams & {
  /** `lastName` is only the beginning of a surname. */
  prefix?: boolean
}

type SearchScope = {
  parcels: Pick<ParcelReader, 'byOwner' | 'headsFrom'>
  state: string
  fips: number | undefined
  /** By `performance.now()`. */
  deadline: number
  trace?: OwnerTrace | undefined
  /** The range of hits to show. */
  page?: OwnerPage | undefined
}

const NONE: FoundOwners = { hits: [], complete: true }

/**
 * `match`: `full-name` when the words were read as surname and given name. `question`: the last one
 * that was searched; for a whole name in either order, the first with hits.
 */
type OwnerHits = {
  hits: OwnerHit[]
  match: 'full-name' | undefined
  question: OwnerQuestion
  /** Parcels that the store returned with the hits. */
  shown?: StoredParcel[] | undefined
}

/**
 * Returns at most `limit` parcels after `skip`: exact ones first, each group by ascending id.
 * Throws *unavailable* at the deadline, *bad request* for too many surnames.
 */
export async function findOwners(
  asked: AskedOwner,
  question: OwnerQuestion,
  { skip, limit }: { skip: number; limit: number },
  search: SearchScope,
): Promise<OwnerHits> {
  const own = asked.prefix ? await widenToPrefix(asked, question, search) : question
  const { hits, shown } = own === undefined ? NONE : await ask(own, skip, limit, search)
  const known = hits.length > 0 || (skip > 0 && own !== undefined && (await isMet(own, search)))
  const plain: OwnerHits = { hits, match: undefined, question: own ?? question, shown }
  if (known || !mayBeFullName(asked)) return plain
  return (await findByFullName(asked, skip, limit, search)) ?? plain
}

function mayBeFullName({ lastName, firstName, prefix }: AskedOwner): boolean {
  return lastName !== undefined && firstName === undefined && !prefix
}

async function findByFullName(
  asked: AskedOwner,
  skip: number,
  limit: number,
  search: SearchScope,
): Promise<OwnerHits | undefined> {
  for (const readings of readFullName(asked.lastName ?? '')) {
    const found = new Map<number, OwnerHit>()
    let met: OwnerQuestion | undefined
    for (const name of readings) {
      const question = makeOwnerQuestion({ ...asked, ...name })
      if (question === undefined) continue
      // Several readings may find the same parcel, so all are merged before any hit is skipped.
      for (const hit of (await ask(question, 0, skip + limit, search)).hits) {
        met ??= question
        const known = found.get(hit.id)
        if (known === undefined || known.fuzzy) found.set(hit.id, hit)
      }
    }
    if (met === undefined) continue
    const hits = [...found.values()]
      .sort((a, b) => Number(a.fuzzy) - Number(b.fuzzy) || a.id - b.id)
      .slice(skip, skip + limit)
    return { hits, match: 'full-name', question: met }
  }
  return undefined
}

/** Returns the question for all recorded surnames that begin as given; `undefined` for none. */
async function widenToPrefix(
  { lastName = '' }: AskedOwner,
  question: OwnerQuestion,
  { parcels, state }: SearchScope,
): Promise<OwnerQuestion | undefined> {
  const start = foldLetters(lastName).replace(/[^A-Z0-9]/g, '')
  const surnames = await parcels.headsFrom(state, start, SURNAMES_MAX + 1, 'person')
  if (surnames.length === 0 || question.lastName === undefined) return undefined
  if (surnames.length > SURNAMES_MAX) {
    throw refuse.badRequest('lastName begins too many surnames; send more of its letters')
  }
  const { givenPrefixes } = question.lastName
  const wide = { personHeads: surnames, organizationHeads: [] }
  return { ...question, lastName: givenPrefixes ? { ...wide, givenPrefixes } : wide }
}

async function ask(
  question: OwnerQuestion,
  skip: number,
  limit: number,
  { parcels, state, fips, deadline, trace, page }: SearchScope,
): Promise<FoundOwners> {
  const where = { state, fips, deadline }
  const found = await parcels.byOwner({ ...where, question, skip, limit, trace, page })
  if (!found.complete) throw refuse.unavailable('The owner search took too long; refine the name')
  return found
}

async function isMet(question: OwnerQuestion, search: SearchScope): Promise<boolean> {
  const { hits } = await ask(question, 0, 1, { ...search, page: undefined })
  return hits.length > 0
}

/** First words of names that a suggestion searches. */
const HEADS_MAX = 500

/** Asks for the surnames, and the first words of organizations, that begin so. */
export async function beginHeads(
  text: string,
  state: string,
  parcels: Pick<ParcelReader, 'headsFrom'>,
): Promise<OwnerQuestion> {
  const start = text.replace(/[^A-Z0-9]/g, '')
  const personHeads = await parcels.headsFrom(state, start, HEADS_MAX, 'person')
  const words = await parcels.headsFrom(state, start, HEADS_MAX, 'organization')
  const organizationHeads = words.map((head) => ({ head, restStart: '' }))
  return { lastName: { personHeads, organizationHeads } }
}
