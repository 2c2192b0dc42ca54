/** `platbook explain`: explains the answer of a lookup or an owner search. */
import type { AskedAddress } from '../../../address/lookup.ts'
import { CommandError } from '../../../base/errors.ts'
import { foldCity } from '../../../base/fold.ts'
import type { OwnerTrace } from '../../../base/model/owner.ts'
import { explainAddress } from '../../../operations/explain/explain-address.ts'
import { explainOwners } from '../../../operations/explain/explain-owners.ts'
import { makeOwnerQuestion } from '../../../owner/canonical.ts'
import type { ParcelReader } from '../../../store/store.ts'
import { type CommandArgs, command } from '../../command.ts'
import { needPlace, textOf, withParcels } from '../../rolls.ts'
import { printResult } from '../../table.ts'

/** Parcels shown of an owner search, and its time limit in milliseconds. */
const LIMIT = 25
const TIME_MS = 10_000

export const explainCommand = command('explain', async ({ values, positionals }, io) => {
  const [kind, text, ...more] = positionals
  const isOwner = kind === 'owner'
  if ((kind !== 'address' && !isOwner) || more.length > 0) {
    const given = positionals.join(' ')
    throw new CommandError(`explain takes address or owner, then a quoted text; not ${given}`, 2)
  }
  if (text === undefined && !(isOwner && values.contains !== undefined)) {
    throw new CommandError(`explain ${kind} takes the ${kind} in quotes`, 2)
  }
  const place = needPlace(values, 'explain')
  const explanation = await withParcels<{ words: string[] }>(io, (parcels) =>
    isOwner
      ? explainOwner(text, values, place, parcels)
      : explainLine(text ?? '', values, place, parcels),
  )
  printResult(io, explanation, explanation.words)
})

type Place = ReturnType<typeof needPlace>
type OptionValues = CommandArgs['values']

async function explainLine(
  address: string,
  values: OptionValues,
  place: Place,
  parcels: ParcelReader,
) {
  const city = textOf(values, 'city')
  const asked: AskedAddress = {
    ...place,
    address,
    unit: textOf(values, 'unit'),
    city: city === undefined ? undefined : foldCity(city),
    zip: textOf(values, 'zip')?.slice(0, 5),
  }
  return (await explainAddress(asked, undefined, parcels)).explain
}

async function explainOwner(
  lastName: string | undefined,
  values: OptionValues,
  place: Place,
  parcels: ParcelReader,
) {
  const names = {
    lastName,
    firstName: textOf(values, 'first-name'),
    nameContains: textOf(values, 'contains'),
  }
  const question = makeOwnerQuestion({ ...names, fuzzy: values.fuzzy === true })
  if (question === undefined) throw new CommandError('the name has no word to search for', 2)
  const trace: OwnerTrace = { rounds: [], near: [] }
  const { state, fips } = place
  const deadline = performance.now() + TIME_MS
  const asked = { state, fips, question, skip: 0, limit: LIMIT, deadline, trace }
  const { hits } = await parcels.byOwner(asked)
  const ids = hits.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await parcels.byIds(state, ids)
  const search = { ...place, names, question, trace, found, hits: hits.length, offset: 0, deadline }
  return explainOwners(search, parcels)
}
