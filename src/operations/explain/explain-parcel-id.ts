/** Explains the answer of a parcel ID lookup. */

type ParcelIdExplanation = {
  /** The ID in its compared forms: exact, and without punctuation. */
  read: { exact: string; stripped: string }
  tried: { step: 'exact' | 'normalized' | 'alternate' | 'former'; key: string; found: number }[]
  leftOut: { parcel: string; why: string }[]
  words: string[]
}

export type TriedIds = {
  asked: string
  county: string
  exact: string
  stripped: string
  /** Parcels with the same letters and digits, with their recorded ID. */
  alike: { name: string; parcelKey: string }[]
  /** Parcels with this alternate ID; `undefined` when not searched. */
  alternates: string[] | undefined
  /** Parcels with this former ID; `undefined` when not searched. */
  heirs: string[] | undefined
  answer: string | undefined
}

export function explainParcelId(tried: TriedIds): ParcelIdExplanation {
  const { asked, county, exact, stripped, alike, alternates, heirs, answer } = tried
  const equal = alike.filter(({ parcelKey }) => parcelKey === exact)
  const leftOut = listLeftOut(tried, equal.length)
  const all: (ParcelIdExplanation['tried'][number] | false | undefined)[] = [
    { step: 'exact', key: exact, found: equal.length },
    equal.length === 0 && { step: 'normalized', key: stripped, found: alike.length },
    alternates && { step: 'alternate', key: exact, found: alternates.length },
    heirs && { step: 'former', key: stripped, found: heirs.length },
  ]
  const steps = all.filter((one) => one !== false && one !== undefined)
  const words = [
    `Read as the parcel ID ${exact} in ${county} County; without punctuation ` +
      `${stripped || 'nothing'}.`,
    ...steps.map(
      ({ step, key, found }) => `Looked for ${FORMS[step](key)}: ${describeCount(found)}.`,
    ),
    ...leftOut.map(({ parcel, why }) => `Not the answer: ${parcel}. ${why}`),
    answer === undefined
      ? `Answer: none for ${asked.trim()}.`
      : `Answer: ${answer}, because ${REASONS[steps.at(-1)?.step ?? 'exact']}.`,
  ]
  return { read: { exact, stripped }, tried: steps, leftOut, words }
}

const FORMS = {
  exact: (key: string) => `exactly ${key}`,
  normalized: (key: string) => `${key}, whatever the punctuation`,
  alternate: (key: string) => `${key} among alternate IDs`,
  former: (key: string) => `${key} among former IDs`,
}

const REASONS = {
  exact: 'it has the requested ID',
  normalized: 'it is the only parcel there with these letters and digits',
  alternate: 'the requested ID is an alternate ID of it',
  former: 'the requested ID is a former ID of its land',
}

function listLeftOut(
  { alike, exact, answer, alternates, heirs }: TriedIds,
  equal: number,
): ParcelIdExplanation['leftOut'] {
  const others = alike.filter(({ name }) => name !== answer).slice(0, 10)
  const named = others.map(({ name, parcelKey }) => {
    if (parcelKey !== exact) {
      const why =
        equal > 0
          ? `Its ID ${parcelKey} has different punctuation.`
          : `Its ID ${parcelKey} has the same letters and digits as others, so ` +
            'the request is ambiguous.'
      return { parcel: name, why }
    }
    return { parcel: name, why: 'It has the same ID; the parcel loaded first is returned.' }
  })
  const list = (names: string[] | undefined, why: string) =>
    (names ?? [])
      .filter((name) => name !== answer)
      .slice(0, 10)
      .map((parcel) => ({ parcel, why: `${why}; the parcel loaded first is returned.` }))
  return [
    ...named,
    ...list(alternates, 'It has the same alternate ID'),
    ...list(heirs, 'Its land had the same former ID'),
  ]
}

function describeCount(count: number): string {
  return count === 0 ? 'nothing' : count === 1 ? '1 parcel' : `${count} parcels`
}
