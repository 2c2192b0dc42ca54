/** Path of the property search, and a roll for the tests that look at the status of its answers. */
import { makeRoll } from '../rolls.ts'

export const PATH = '/public/property/search/'

export const SEARCHED = makeRoll([
  { parcelId: 'A', address: '100 MAIN ST', city: 'Madison', zipCode: '53703', useCode: '0101' },
  { parcelId: 'B', address: '100 MAIN ST APT 2B', city: 'Madison', residential: 'true' },
  { parcelId: 'I', state: 'IL', county: 'Cook', address: '1 LAKE ST', city: 'Chicago' },
])
