/** What a map tile shows of a parcel, as one text stored with its polygon. */
import { FIELD, openTexts, propertyIdOf } from './stored.ts'

type TileTexts = { propertyId: string; address: string; useCode: string; value: string }

const readTexts = openTexts([
  'address',
  'propertyUseCode',
  'totalMarketValue',
  'totalAssessedValue',
])

/**
 * Returns property ID, address, use code and value (market value, else assessed value, US dollars)
 * of a stored record, separated by U+001F; empty when unknown. Owner names are not included.
 */
export function tileTextOf(stored: string): string {
  const texts = readTexts(stored)
  const plain = (json: string) => (json === '' ? '' : String(JSON.parse(json)))
  const value = texts.totalMarketValue || texts.totalAssessedValue
  return [propertyIdOf(stored), plain(texts.address), plain(texts.propertyUseCode), value].join(
    FIELD,
  )
}

/** The inverse of `tileTextOf`. */
export function readTileText(text: string): TileTexts {
  const [propertyId = '', address = '', useCode = '', value = ''] = text.split(FIELD)
  return { propertyId, address, useCode, value }
}
