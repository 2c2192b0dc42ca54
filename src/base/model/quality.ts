/** The parts of a roll's quality: what is measured, and how much each counts. docs/quality.md. */

type Part = { weight: number; about: string }

const complete = (weight: number, what: string): Part => ({
  weight,
  about: `parcels without ${what}`,
})

/** Every part with its weight, in the order of a report. Weights are compared with their sum. */
export const QUALITY_PARTS = {
  owner: complete(8, 'an owner'),
  situs: complete(8, 'a situs address'),
  mailing: complete(5, 'a mailing address'),
  value: complete(10, 'an assessed or market value'),
  sale: complete(4, 'the date or price of a sale'),
  building: complete(5, 'a year built or building area; not where the building is worth 0'),
  land: complete(5, 'a land area'),
  point: complete(6, 'a point'),
  polygon: complete(4, 'a polygon'),
  rollAge: { weight: 4, about: 'the roll is of a year before last year' },
  loadAge: { weight: 3, about: 'the last import is more than a year old' },
  valueSum: { weight: 4, about: 'land and building do not add up to the total value' },
  builtLater: { weight: 3, about: 'year built after the year of the roll' },
  soldBeforeBuilt: { weight: 2, about: 'newest sale before the building' },
  halfBaths: { weight: 1, about: 'half baths without a bath' },
  area: { weight: 3, about: 'recorded and drawn land area differ by more than a tenth' },
  pointOutsidePolygon: { weight: 3, about: 'the point is outside its polygon' },
  pointOutsideCounty: { weight: 4, about: 'the point is outside the county' },
  polygonOutsideCounty: { weight: 4, about: 'the polygon is outside the county' },
  zip: { weight: 2, about: 'the ZIP code is of another state, or of another part of it' },
  city: { weight: 2, about: 'the city is a place of another state, or of another county' },
  repeatedId: { weight: 3, about: 'rows that repeat the parcel ID of another row' },
  repeatedAddress: { weight: 2, about: 'several parcels at one address and unit' },
  placeholder: { weight: 3, about: 'a field of which over 1 % is one placeholder' },
  overlap: { weight: 3, about: 'the polygon overlaps another one' },
  gap: { weight: 1, about: 'a hole in the polygon that no other parcel fills' },
  vanishedFields: { weight: 4, about: 'fields that the last import had and this one has not' },
  fewerParcels: { weight: 4, about: 'over 2 % fewer parcels than the last import' },
} as const satisfies Record<string, Part>

export type QualityName = keyof typeof QUALITY_PARTS

export const QUALITY_NAMES = Object.keys(QUALITY_PARTS) as QualityName[]

/** Most example parcels of a part. */
export const EXAMPLES_MAX = 5

/** What an import found of one part. `of`: what could be at fault; 0: not measured. */
export type Finding = {
  count: number
  of: number
  /** propertyIds. */
  examples: string[]
  /** Names of the fields that are meant, for `placeholder` and `vanishedFields`. */
  fields?: string[]
}

/** The measurement of a county by one import, as it is stored. */
export type StoredQuality = {
  /** Epoch seconds. */
  loadedAt: number
  rollYear: number | null
  parcels: number
  /** Parcels with each field of `coverage`, and with some others. */
  filled: Record<string, number>
  findings: Partial<Record<QualityName, Finding>>
  /** Fields of which the import dropped over 1 % as placeholders. */
  dropped: string[]
}

/** A part as it is shown: `share` is that of what is in order, 0 to 1; `null`: not measured. */
export type ShownPart = Finding & { name: QualityName; share: number | null; weight: number }

const YEAR_SECONDS = 365.25 * 86_400

/** Scores from 0 to 100: the weighted mean of the measured shares. `now`: epoch milliseconds. */
export function scoreQuality(
  stored: StoredQuality,
  now: number,
): { score: number; parts: ShownPart[] } {
  const findings = { ...stored.findings, ...measureAge(stored, now) }
  const parts = QUALITY_NAMES.map((name): ShownPart => {
    const { count, of, examples, fields } = findings[name] ?? { count: 0, of: 0, examples: [] }
    const share = of === 0 ? null : Math.max(0, 1 - count / of)
    const { weight } = QUALITY_PARTS[name]
    return { name, share, count, of, weight, examples, ...(fields && { fields }) }
  })
  const measured = parts.filter(({ share }) => share !== null)
  const weights = measured.reduce((sum, { weight }) => sum + weight, 0)
  const sum = measured.reduce((total, { share, weight }) => total + weight * (share ?? 0), 0)
  return { score: weights === 0 ? 0 : Math.round((1000 * sum) / weights) / 10, parts }
}

/** Age counts in years beyond the first, of four: then nothing of the weight is left. */
function measureAge(
  { rollYear, loadedAt }: StoredQuality,
  now: number,
): Partial<Record<QualityName, Finding>> {
  const of = 4
  const years = (age: number) => Math.min(of, Math.max(0, Math.ceil(age - 1)))
  const roll = rollYear === null ? undefined : new Date(now).getUTCFullYear() - rollYear
  const loaded = (now / 1000 - loadedAt) / YEAR_SECONDS
  return {
    ...(roll !== undefined && { rollAge: { count: years(roll), of, examples: [] } }),
    loadAge: { count: years(loaded), of, examples: [] },
  }
}
