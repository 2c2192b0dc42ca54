/** The roll of the owner searches: invented people, some with names that differ by one letter. */
import { makeRoll, type Row, times } from '../rolls.ts'

export const PATH = '/public/premium/owner/'
export const PLAIN_PATH = '/public/property/owner/'

const NAMED: Row[] = [
  { parcelId: 'A1', ownerName1: 'QUILLON, MARA', ownerName2: 'HOLLIN, PETRA' },
  { parcelId: 'A2', ownerName1: 'QUILLON, THEO', county: 'Milwaukee' },
  { parcelId: 'A3', ownerName1: 'QUILLON FAMILY TRUST' },
  { parcelId: 'A4', ownerName1: 'BRIGHTWATER HOLDINGS LLC' },
  { parcelId: 'A5', ownerName1: 'VAREK, MARA', ownerName2: 'QUILLON, OTIS' },
  { parcelId: 'F1', ownerName1: 'QUILLAN, OTTO' },
  { parcelId: 'F2', ownerName1: 'QUILON, ADA' },
  { parcelId: 'F3', ownerName1: 'QUILLOON, ADA' },
  { parcelId: 'F4', ownerName1: 'QUILLNO, ADA' },
  { parcelId: 'G1', ownerName1: 'QIULLON, ADA' },
  { parcelId: 'G2', ownerName1: 'QUILLANS, ADA' },
  { parcelId: 'B1', ownerName1: 'SEÑALES, JOSÉ' },
  { parcelId: 'B2', ownerName1: 'HOLLIN, MARCUS & TESSA' },
  { parcelId: 'B3', ownerName1: '% HIDDENHAND TAX SERVICE', ownerName2: 'MARLOWE, JUNE' },
  { parcelId: 'IL1', state: 'IL', county: 'Cook', ownerName1: 'QUILLON, ELSEWHERE' },
]

/** 40 parcels of one surname, and two companies that share a word. */
const MANY: Row[] = [
  ...times(40, (number) => ({ parcelId: `P${number}`, ownerName1: 'FARNABY, ABEL' })),
]

export const OWNER_ROWS: Row[] = [...NAMED, ...MANY]

export const OWNERS = makeRoll(OWNER_ROWS)
