/**
 * The roll of the property searches: few parcels with every filter's field, and some without an
 * address.
 */
import { makeRoll, type Row } from '../rolls.ts'

export const PATH = '/public/property/search/'

export const FILTERED: Row[] = [
  {
    parcelId: 'A',
    address: '100 MAIN ST',
    city: 'Madison',
    zipCode: '53703',
    useCode: '0101',
    residential: 'true',
    transferDate: '2026-03-09',
  },
  {
    parcelId: 'B',
    address: '100 MAIN ST APT 2B',
    city: 'Madison',
    zipCode: '53704',
    useCode: '101',
    useStandardCode: '1001',
    residential: 'true',
    transferDate: '2026-02-08',
    ownerName1: 'QUILLON, MARA',
  },
  {
    parcelId: 'C',
    address: '200 ELM ST APT 2B',
    city: 'St. Elmo',
    zipCode: '53703',
    useCode: 'R-2',
    useDescription: 'Single family',
    residential: 'false',
    transferDate: '2025-03-10',
    ownerName1: 'OAKEN SPOON LODGE NO 1205',
  },
  {
    parcelId: 'D',
    county: 'Milwaukee',
    address: '300 OAK ST',
    city: 'Milwaukee',
    zipCode: '53201',
    useCode: '0',
    residential: 'false',
    ownerName1: 'QUILLON, THEO & ANN',
  },
  {
    parcelId: 'E',
    county: 'Milwaukee',
    address: '100 MAIN ST',
    city: 'Milwaukee',
    altParcelIds: 'AB-17/3',
  },
  { parcelId: 'V1', city: 'Madison', zipCode: '53703', useCode: '0101', residential: 'true' },
  { parcelId: 'V2', address: 'MAIN ST', city: 'Madison', useCode: 'X9' },
  { parcelId: 'I', state: 'IL', county: 'Cook', address: '1 LAKE ST', city: 'Chicago' },
]

export const SEARCHED = makeRoll(FILTERED)
