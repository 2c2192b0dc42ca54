/** What a map tile shows of a parcel, as one text stored with its polygon. */
import { FIELD, partsOf, propertyIdOf, slotOf } from './stored.ts'

/** The values of a tile text, in its order. */
type TileTexts = { propertyId: string; address: string; useCode: string; value: string }

const SLOTS = {
  address: slotOf('address'),
  useCode: slotOf('propertyUseCode'),
  market: slotOf('totalMarketValue'),
  assessed: slotOf('totalAssessedValue'),
}

/**
 * Returns property ID, address, use code and value (market value, else assessed value, US dollars)
 * of a stored record, separated by U+001F; empty when unknown. Owner names are not included.
 */
export function tileTextOf(stored: string): string {
  const read = partsOf(stored)
  const plain = (slot: number) => {
    const json = read(slot)
    return json === '' ? '' : String(JSON.parse(json))
  }
  const value = read(SLOTS.market) || read(SLOTS.assessed)
  const texts = [propertyIdOf(stored), plain(SLOTS.address), plain(SLOTS.useCode), value]
  return texts.join(FIELD)
}

/** The inverse of `tileTextOf`. */
export function readTileText(text: string): TileTexts {
  const [propertyId = '', address = '', useCode = '', value = ''] = text.split(FIELD)
  return { propertyId, address, useCode, value }
}
