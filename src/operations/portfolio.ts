/** `GET /public/premium/portfolio/`: other parcels that very probably have the same owner. */
import { canonicalAddress } from '../address/canonical.ts'
import { refuse } from '../base/errors.ts'
import { foldCity, foldLetters } from '../base/fold.ts'
import type { OwnerHead, OwnerQuestion } from '../base/model/owner.ts'
import { decodeParcel } from '../record/stored.ts'
import { countyByFips } from '../regions/counties.ts'
import type { StoredParcel } from '../store/store.ts'
import { describeParcel } from './explain/explain-address.ts'
import { explainPortfolio } from './explain/explain-portfolio.ts'
import { compareNames, isSameMailing, joinSlots, type Mailing } from './find/same-owner.ts'
import { needParcel, needSubject, SUBJECT } from './find/subject.ts'
import { defineOperation, type RequestContext, showList } from './operation.ts'
import { listSchema } from './places/place-parameters.ts'
import { FIELDS, OFFSET, param } from './shared-parameters.ts'

/** Most parcels examined per name, and most names of the subject. */
const CANDIDATES_MAX = 300
const HEADS_MAX = 6
/** Most rejected parcels named in an explanation. */
const LEFT_OUT_MAX = 10
/** A two-word person's name with more mailing addresses belongs to several persons. */
const ADDRESSES_MAX = 3

const REASONS = ['name+mailing', 'name', 'mailing'] as const
type Reason = (typeof REASONS)[number]
type Kin = {
  parcel: StoredParcel
  /** The subject's name by which it was found. */
  head: OwnerHead
  mailing: Mailing
  sameName: boolean
  isSure: boolean
}

export const portfolio = defineOperation({
  operationId: 'portfolioSearch',
  path: '/public/premium/portfolio/',
  parameters: {
    ...SUBJECT,
    scope: param.choice(['county', 'state'], 'state'),
    countOnly: param.flag,
    limit: param.upTo(100, 25),
    offset: OFFSET,
    fields: FIELDS,
    explain: param.flag,
  },
  tokenCost: 1,
  freeWith: 'countOnly',
  answers: {
    // With `countOnly` there are no properties.
    schema: {
      ...listSchema('portfolioSearch', { reason: { enum: [...REASONS] } }),
      required: ['metadata'],
    },
  },
  check(values) {
    const subject = needSubject(values)
    return { ...values, subject }
  },
  find: ({ subject, scope, countOnly, limit, offset, explain }, context) =>
    context.queueSearch(async () => {
      const found = await needParcel(subject, context.parcels)
      const looked = await findKin(found, scope === 'county', context)
      const { kin, complete } = looked
      // An answer for no token names no other parcel.
      const left = countOnly ? [] : looked.left
      const page = countOnly ? [] : kin.slice(offset, offset + limit)
      const metadata = {
        limit,
        offset,
        count: page.length,
        total: kin.length,
        complete,
        reasons: page.map((one) => one.reason),
        ...(explain && { explain: explainKin(found, { ...looked, left }, page, scope) }),
      }
      if (countOnly) return { body: JSON.stringify({ metadata }), headers: {} }
      const shown = page.map(({ parcel }) => parcel)
      return showList(shown, context.layout, metadata)
    }),
})

async function findKin(subject: StoredParcel, inCounty: boolean, context: RequestContext) {
  const { parcels, startedAt, ownerTimeMs } = context
  const { fips, state, mailing } = readPlace(subject)
  const [own] = await parcels.ownersOf(state, [subject.id])
  const heads = (own?.owners.heads ?? []).slice(0, HEADS_MAX)
  const joint = joinSlots(heads)
  const found = new Map<number, Kin>()
  const tried: { head: OwnerHead; found: number }[] = []
  let complete = true
  for (const head of heads) {
    const deadline = startedAt + ownerTimeMs
    const { hits, complete: inTime } = await parcels.byOwner({
      state,
      fips: inCounty ? fips : undefined,
      question: askHead(head),
      skip: 0,
      limit: CANDIDATES_MAX + 1,
      deadline,
    })
    if (!inTime) throw refuse.unavailable('The owner search took too long; refine the name')
    complete &&= hits.length <= CANDIDATES_MAX
    const ids = hits.slice(0, CANDIDATES_MAX).flatMap(({ id }) => (id === subject.id ? [] : id))
    tried.push({ head, found: ids.length })
    const ours = [head, ...joint.filter((one) => one.head === head.head)]
    const records = ids.length === 0 ? [] : await parcels.byIds(state, ids)
    const owners = new Map((await parcels.ownersOf(state, ids)).map((one) => [one.id, one.owners]))
    for (const parcel of records) {
      const theirs = owners.get(parcel.id)?.heads ?? []
      const { isSure, sameName, by } = compareOwners(ours, [...theirs, ...joinSlots(theirs)])
      const known = found.get(parcel.id)
      if (known?.isSure || (known?.sameName && !isSure)) continue
      const { mailing: theirMailing } = readPlace(parcel)
      found.set(parcel.id, { parcel, head: by ?? head, mailing: theirMailing, sameName, isSure })
    }
  }
  const named = [...found.values()].filter(({ sameName }) => sameName)
  const isRare = new Set(named.map((one) => showMailing(one.mailing))).size <= ADDRESSES_MAX
  const left: Kin[] = []
  const kin = [...found.values()].flatMap((one) => {
    const reason = describeReason(one, mailing, isRare)
    if (reason === undefined) left.push(one)
    return reason === undefined ? [] : [{ ...one, reason }]
  })
  const rank = ({ reason }: { reason: Reason }) => REASONS.indexOf(reason)
  kin.sort((a, b) => rank(a) - rank(b) || a.parcel.id - b.parcel.id)
  return { kin, complete, tried, left, mailing }
}

/** Compares each of our names with each of theirs. `by` is the one of ours that agrees best. */
function compareOwners(ours: OwnerHead[], theirs: OwnerHead[]) {
  const compared = ours.flatMap((one) =>
    theirs.map((other) => ({ one, likeness: compareNames(one, other) })),
  )
  const sure = compared.find(({ likeness }) => likeness === 'sure')
  const best = sure ?? compared.find(({ likeness }) => likeness === 'likely')
  return { isSure: sure !== undefined, sameName: best !== undefined, by: best?.one }
}

type Looked = Awaited<ReturnType<typeof findKin>>

function explainKin(
  subject: StoredParcel,
  { tried, left, mailing, kin }: Looked,
  page: Looked['kin'],
  scope: 'county' | 'state',
) {
  const { fips, state } = readPlace(subject)
  const county = countyByFips(fips)?.name
  const show = <One extends Kin>(one: One) => ({
    ...one,
    parcel: describeParcel(one.parcel),
    mailing: showMailing(one.mailing),
  })
  return explainPortfolio({
    parcel: describeParcel(subject),
    heads: tried,
    mailing: showMailing(mailing),
    where: scope === 'county' && county !== undefined ? `${county} County` : state,
    met: page.map(show),
    left: left.slice(0, LEFT_OUT_MAX).map(show),
    total: kin.length,
  })
}

function describeReason(one: Kin, mailing: Mailing, isRare: boolean): Reason | undefined {
  const sameMailing = isSameMailing(one.mailing, mailing)
  if (one.sameName && sameMailing) return 'name+mailing'
  if (sameMailing) return 'mailing'
  return one.isSure || (one.sameName && isRare) ? 'name' : undefined
}

function askHead({ kind, head }: OwnerHead): OwnerQuestion {
  const organizationHeads = [{ head, restStart: '' }]
  return kind === 'person'
    ? { lastName: { personHeads: [head], organizationHeads: [] } }
    : { lastName: { personHeads: [], organizationHeads } }
}

function readPlace({ fieldValues }: StoredParcel): {
  fips: number
  state: string
  mailing: Mailing
} {
  const parcel = decodeParcel(fieldValues)
  const { fips, ownerStreet, ownerState, ownerZipCode, ownerCity } = parcel
  const state = countyByFips(fips)?.state ?? ''
  if (ownerStreet === null || NO_ADDRESS.test(ownerStreet)) {
    return { fips, state, mailing: { street: '', zipCode: '', city: '' } }
  }
  const { key, unitKey } = canonicalAddress(ownerStreet, { state: ownerState ?? state })
  const street = `${key || foldLetters(ownerStreet)}|${unitKey}`
  const zipCode = ownerZipCode?.slice(0, 5) ?? ''
  const city = ownerCity === null ? '' : foldCity(`${ownerCity} ${ownerState ?? ''}`)
  return { fips, state, mailing: { street, zipCode, city } }
}

/** Returns the text of a mailing address in an explanation; `''` when unknown. */
function showMailing({ street, zipCode, city }: Mailing): string {
  return street === '' ? '' : `${street}|${zipCode || city}`
}

/**
 * Texts for an unknown mailing address, which many owners share. The last ones must be the whole
 * line, because `12 SAME ST` and `GENERAL DELIVERY RD` are addresses.
 */
export const NO_ADDRESS = new RegExp(
  [
    /\*\*|\bNO (?:MAILING )?ADDRESS\b|\bUNKNOWN\b/,
    /^\W*(?:RETURNED MAIL|SAME AS)\b/,
    /^\W*(?:(?:MAILING )?ADDRESS )?(?:UNAVAILABLE|UNDETERMINED)\W*$/,
    /^\W*(?:SAME|GENERAL DELIVERY|P\W*O\W*B(?:OX)?|POST OFFICE BOX)\W*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
