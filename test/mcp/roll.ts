/** The invented parcels that the questions of docs/mcp.md are about. */
import { makeRoll, type Row, times } from '../contract/rolls.ts'

const MADISON = { city: 'MADISON', zipCode: '53703', nameOrder: 'surname-first' }

const ROWS: Row[] = [
  {
    ...MADISON,
    ...{ parcelId: '0709-0001', ownerName1: 'LARSEN KARL & ANNA', address: '12 OAK ST' },
    ...{ latitude: 43.07, longitude: -89.4, yearBuilt: 1954, totalMarketValue: 410000 },
  },
  {
    ...MADISON,
    ...{ parcelId: '0709-0002', ownerName1: 'HARBOR POINT HOLDINGS LLC', address: '14 OAK ST' },
    ...{ latitude: 43.0702, longitude: -89.4, transferDate: '20240614', transferPrice: 385000 },
  },
  {
    ...MADISON,
    ...{ parcelId: '0709-0003', ownerName1: 'LARSEN KARL', address: '5 ELM AVE' },
    ...{ city: 'MIDDLETON', zipCode: '53562', taxYear: 2025, taxValue: 6120.5 },
  },
  ...times(2, (number) => ({
    ...MADISON,
    ...{ parcelId: `0709-000${number + 3}`, address: '200 STATE ST' },
    ...{
      unitType: 'APT',
      unitNumberStripped: number,
      ownerName1: `TENNANT PAUL ${'AB'[number - 1]}`,
    },
  })),
  { ...MADISON, parcelId: '0709-0006', ownerName1: 'VOSS ERIKA', address: '30 OAK ST' },
  {
    ...MADISON,
    ...{ parcelId: '0709-0007', ownerName1: 'HARBOR TRUST', address: '30 OAK ST' },
    ...{ city: 'VERONA', zipCode: '53593' },
  },
  ...times(12, (number) => ({
    ...MADISON,
    ...{ parcelId: `0511-00${number}`, ownerName1: `OWNER NUMBER ${number}` },
    ...{ address: `${number} PINE ST`, city: 'STOUGHTON', zipCode: '53589' },
  })),
]

export const MCP_ROLL = makeRoll(ROWS)
