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

const ROCK = { county: 'Rock', city: 'JANESVILLE', zipCode: '53545', nameOrder: 'surname-first' }
const HOUSE = { ...ROCK, useCode: '1001', buildingArea: 1400, totalBedrooms: 3 }

/** A county with houses, land and sales, for questions that filter, order and sum. */
const ROCK_ROWS: Row[] = [
  {
    ...HOUSE,
    ...{ parcelId: 'R-001', ownerName1: 'PRENTLEY RUTH', address: '101 BLUFF ST', acres: 0.25 },
    ...{ ownerAddressLine1: '101 BLUFF ST', ownerCity: 'JANESVILLE', ownerState: 'WI' },
    ...{ latitude: 42.6828, longitude: -89.0187, yearBuilt: 1925, totalMarketValue: 210000 },
    ...{ transferDate: '20250310', transferPrice: 215000, ownerZipCode: '53545' },
  },
  {
    ...HOUSE,
    ...{ parcelId: 'R-002', ownerName1: 'OSTREM IVAR', address: '103 BLUFF ST', acres: 0.25 },
    ...{ ownerAddressLine1: '103 BLUFF ST', ownerCity: 'JANESVILLE', ownerState: 'WI' },
    ...{ latitude: 42.683, longitude: -89.0187, yearBuilt: 1998, totalMarketValue: 290000 },
    ...{ transferDate: '20250822', transferPrice: 305000, ownerZipCode: '53545' },
  },
  {
    ...HOUSE,
    ...{ parcelId: 'R-003', ownerName1: 'OSTREM IVAR', address: '9 COURT ST', acres: 0.3 },
    ...{ ownerAddressLine1: '103 BLUFF ST', ownerCity: 'JANESVILLE', ownerState: 'WI' },
    ...{ latitude: 42.69, longitude: -89.03, yearBuilt: 2004, totalMarketValue: 330000 },
    ...{ ownerZipCode: '53545' },
  },
  {
    ...ROCK,
    ...{ parcelId: 'R-004', ownerName1: 'CITY OF JANESVILLE', address: '18 N JACKSON ST' },
    ...{ useCode: '9200', acres: 6.5 },
  },
  {
    ...ROCK,
    ...{ parcelId: 'R-005', ownerName1: 'TALLGRASS LAND LLC', address: '400 AFTON RD', acres: 40 },
    ...{ useCode: '8001', ownerState: 'IL', ownerCity: 'ROCKFORD', zoningCode: 'A-1' },
    ...{ totalMarketValue: 520000 },
  },
  {
    ...ROCK,
    ...{ parcelId: 'R-006', ownerName1: 'TALLGRASS LAND LLC', address: '410 AFTON RD', acres: 20 },
    ...{ useCode: '8001', ownerState: 'IL', ownerCity: 'ROCKFORD', zoningCode: 'A-1' },
    ...{ totalMarketValue: 250000, city: 'BELOIT', zipCode: '53511' },
  },
]

export const MCP_ROLL = makeRoll([...ROWS, ...ROCK_ROWS])
