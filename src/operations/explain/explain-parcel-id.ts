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

export function explainParcelId(tried: TriedIds) {
  const { asked, county, exact, stripped, alike, alternates, heirs, answer } = tried
  const equal = alike.filter(({ parcelKey }) => parcelKey === exact)
  const leftOut = listLeftOut(tried, equal.length)
  const all: (Step | false | undefined)[] = [
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

type Step = { step: keyof typeof FORMS; key: string; found: number }

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

function listLeftOut({ alike, exact, answer, alternates, heirs }: TriedIds, equal: number) {
  const others = alike.filter(({ name }) => name !== answer).slice(0, 10)
  const named = others.map(({ name, parcelKey }) => {
    const other =
      equal > 0
        ? 'has different punctuation.'
        : 'has the same letters and digits as others, so the request is ambiguous.'
    const same = 'It has the same ID; the parcel loaded first is returned.'
    return { parcel: name, why: parcelKey === exact ? same : `Its ID ${parcelKey} ${other}` }
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
