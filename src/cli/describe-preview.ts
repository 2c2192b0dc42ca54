/**
 * Formats a dry run for a person: parcels before and after, the answer, shares of fields, commonest
 * values.
 */
import { describeShare } from '../import/expect.ts'
import { type PreviewReport, showPreview } from '../import/preview.ts'

/** Parcels shown; the report has twice as many. */
const PARCELS_SHOWN = 10
/** Values of a coded field on one line. */
const LINE_VALUES = 20

/** Lines have the terminal's width, or a readable width without a terminal. */
export function describePreview(preview: PreviewReport, columns: number | undefined): string[] {
  const width = Math.min(160, Math.max(80, columns ?? 120))
  const { parcels, empty, served, shares, warnings, commonest, uncodedUses } = preview
  const step = Math.ceil(parcels.length / PARCELS_SHOWN)
  const some = parcels.filter((_, at) => at % step === 0)
  const shown = some.flatMap((parcel, at) => [
    `Parcel ${at + 1} of ${some.length}: the row, and the record that it makes`,
    ...showPreview(parcel, width),
    '',
  ])
  const list = (title: string, fields: string[]) =>
    fields.length === 0 ? [] : [`${title}: ${fields.join(', ')}`]
  return [
    ...shown,
    ...(served === null
      ? []
      : ['One parcel as it is served:', ...JSON.stringify(served, null, 2).split('\n'), '']),
    ...(commonest.length === 0 ? [] : ['Commonest values of coded fields:']),
    ...commonest.map(({ field, values, others }) => {
      const shown = values.slice(0, LINE_VALUES).map(([text, count]) => `${text} ${group(count)}`)
      return `  ${field}: ${shown.join(', ')}${others === 0 ? '' : `, others ${group(others)}`}`
    }),
    ...(uncodedUses.length === 0 ? [] : ['Uses without a use code (docs/use-codes.md):']),
    ...uncodedUses.map(([use, parcels]) => `  ${use}: ${group(parcels)}`),
    'Shares:',
    ...shares.filter(({ of }) => of > 0).map((share) => `  ${describeShare(share)}`),
    ...warnings.map((text) => `Warning: ${text}`),
    ...list('Fields that the mapping fills and no row does', empty.mapped),
    ...list('Fields that stay empty, as the mapping has no column for them', empty.unmapped),
  ]
}

const group = (count: number) => count.toLocaleString('en-US')
