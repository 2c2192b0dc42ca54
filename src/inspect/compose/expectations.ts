/**
 * Drafts expected shares. A roll outside them shows that a column was taken for the wrong field.
 */
import { SURE } from '../recognize/guess.ts'
import type { DraftBuilder } from './draft-builder.ts'
import { percent } from './draft-builder.ts'
import { type Setting, setting } from './settings.ts'

/** In most rolls many owners live at the site, and never all of them. */
const OCCUPIED = '20..95 %'
const MAIL_STATES = '>= 95 %'
/** Every roll must reach this part of a share that the kept rows have. */
const KEPT = 0.9
/** Half of the parcels of a roll with owners have one. */
const OWNED = 0.5
const FULL: readonly string[] = ['ownerName1', 'address', 'totalAssessedValue', 'totalMarketValue']

/**
 * Builds the setting `expect` for the fields that the draft fills; nothing when it fills none of
 * them.
 */
export function expectSetting(builder: DraftBuilder): Setting[] {
  const { entries, subjects } = builder
  const sure = entries.filter(({ section, certainty }) => section === 'fields' && certainty >= SURE)
  const has = (...names: string[]) => sure.some(({ name }) => names.includes(name))
  const expect: Record<string, string> = {}
  for (const { name, columns } of sure) {
    if (!FULL.includes(name) || columns.length !== 1) continue
    const fill = subjects.find((one) => one.name === columns[0])?.contents.fill ?? 0
    if (name === 'ownerName1' && fill > 0 && KEPT * fill < OWNED)
      expect[name] = `>= ${100 * OWNED} %`
    else if (fill > 0.1) expect[name] = `>= ${Math.floor(100 * KEPT * fill)} %`
  }
  if (has('addressFull', 'streetName')) expect.address = '>= 50 %'
  const hasPlace = has('ownerCityStateZip', 'ownerAddressFull')
  if (hasPlace || has('ownerState')) expect.ownerState = MAIL_STATES
  const hasMail = has('ownerAddressLine1', 'ownerAddressFull')
  const hasSite = has('address', 'addressFull', 'streetName')
  if (hasMail && hasSite) expect.ownerOccupied = OCCUPIED
  if (has('residential')) expect.residential = '1..99 %'
  if (Object.keys(expect).length === 0) return []
  const why =
    `shares that most rolls have, and ${percent(KEPT)} of those in this file; an ` +
    'import that misses one is refused'
  return [setting('expect', expect, 0.9, why)]
}
