/**
 * The style of Florida rolls: `NNNNN-NNN-NNN`, no comma, quadrant streets with numbers as names,
 * just values, homesteads.
 */
import type { Random } from '../random.ts'
import type { RollStyle } from '../roll-style.ts'
import { ordinal, pad } from '../write.ts'

export const florida: RollStyle = {
  state: 'FL',
  county: 'ALACHUA',
  share: 0.13,
  box: [29.46, -82.6, 29.9, -82.1],
  cities: [
    {
      name: 'GAINESVILLE',
      zips: ['32601', '32603', '32605', '32606', '32607', '32608', '32609', '32641', '32653'],
      lat: 29.66,
      lon: -82.35,
      weight: 66,
    },
    { name: 'ALACHUA', zips: ['32615'], lat: 29.79, lon: -82.49, weight: 9 },
    { name: 'NEWBERRY', zips: ['32669'], lat: 29.65, lon: -82.58, weight: 9 },
    { name: 'HIGH SPRINGS', zips: ['32643'], lat: 29.82, lon: -82.59, weight: 6 },
    { name: 'ARCHER', zips: ['32618'], lat: 29.53, lon: -82.52, weight: 4 },
    { name: 'HAWTHORNE', zips: ['32640'], lat: 29.59, lon: -82.11, weight: 4 },
    { name: 'MICANOPY', zips: ['32667'], lat: 29.51, lon: -82.28, weight: 2 },
  ],
  regionalSurnames:
    `RODRIGUEZ GONZALEZ HERNANDEZ PEREZ DIAZ TILLMAN MERCER STRICKLAND WHITEHURST WIGGINS BRYAN
    TYSON HODGE
    GAINEY HIERS MCRAE DURRANCE PARRISH DAUGHTRY BLITCH CRIBBS FUTCH LANGFORD SAPP SURRENCY GRIFFIS
    MOBLEY HAGAN`.split(/\s+/),
  regionalShare: 0.1,
  comma: false,
  couples: 'slots',
  suffixFirst: true,
  tenure: ['', '', '', 'H/W', '', '', 'JTWROS'],
  careOf: 'column',
  careOfMark: '% ',
  publicBodies: [
    'CITY OF {city}',
    'ALACHUA COUNTY',
    'SCHOOL BOARD OF ALACHUA COUNTY',
    'TIITF/STATE OF FLORIDA',
    'STATE OF FLORIDA DEPT OF TRANSPORTATION',
    'UNITED STATES OF AMERICA',
  ],
  publicStreet: '12 SE 1ST ST',
  layouts: [
    ['subdivision', 42],
    ['town', 26],
    ['condo', 8],
    ['strip', 5],
    ['rural', 20],
    ['court', 2],
  ],
  parcelId({ block, lot }) {
    const part = Math.floor(block / 19_990) * 10
    return `${pad(1 + (block % 19_990), 5)}-${pad(part, 3)}-${pad(lot, 3)}`
  },
  taxAccount: ({ serial }) => pad(1_000_000 + serial, 7),
  legal(lot, random) {
    const book = `OR ${random.between(1000, 4999)}/${pad(random.between(1, 2999), 4)}`
    if (lot.rural) {
      return (
        `${random.pick(['N', 'S', 'E', 'W'])}1/2 OF ` +
        `${random.pick(['NE', 'NW', 'SE', 'SW'])}1/4 SEC ` +
        `${lot.section}-${lot.township}-${lot.range} ${book}`
      )
    }
    if (lot.unit !== null) return `${lot.plat} CONDO UNIT ${lot.unit} ${book}`
    return (
      `${lot.plat} PB ${random.pick(['A', 'B', 'F', 'H', 'J'])}-${random.between(1, 99)} ` +
      `LOT ${lot.lot} BK ${lot.platBlock} ${book}`
    )
  },
  /** Four streets in five are a quadrant and an ordinal: `NW 43RD ST`. */
  street(layout, random) {
    if (layout === 'strip') {
      return random.pick([
        'NW 13TH ST',
        'SW 34TH ST',
        'W UNIVERSITY AVE',
        'SW ARCHER RD',
        'US HIGHWAY 441',
      ])
    }
    return random.chance(0.8) ? quadrantStreet(random) : ''
  },
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.25)
      return `COUNTY ROAD ${random.pick([18, 225, 231, 234, 235, 236, 241, 325, 346])}`
    if (share < 0.4) return `STATE ROAD ${random.pick([20, 24, 26, 45, 121])}`
    if (share < 0.5) return `US HIGHWAY ${random.pick([27, 41, 301, 441])}`
    return quadrantStreet(random)
  },
  ruralNumbers: [1000, 26_000],
  number: (plain) => String(plain),
  unitInLine: true,
  unitWords: ['UNIT', 'APT', '#', 'UNIT'],
  useCodes: {
    house: ['0100', 'SINGLE FAMILY'],
    duplex: ['0800', 'MULTI-FAMILY LESS THAN 10 UNITS'],
    condo: ['0400', 'CONDOMINIUM'],
    mobile: ['0200', 'MOBILE HOME'],
    apartments: ['0300', 'MULTI-FAMILY 10 UNITS OR MORE'],
    store: ['1100', 'STORES, ONE STORY'],
    office: ['1700', 'OFFICE BUILDINGS, ONE STORY'],
    warehouse: ['4800', 'WAREHOUSING'],
    farm: ['6000', 'GRAZING LAND'],
    vacant: ['0000', 'VACANT RESIDENTIAL'],
    public: ['8600', 'COUNTY'],
    church: ['7100', 'CHURCHES'],
  },
  /**
   * A homestead's assessed value rises at most 3 % a year, so that long-time owners pay far below
   * the just value.
   */
  values({ market, land, year, homestead, held }) {
    const assessed = homestead ? Math.round(market / (1 + Math.min(held, 25) * 0.03)) : market
    const exemption = homestead ? Math.min(assessed, 50_000) : 0
    return {
      totalAssessedValue: assessed,
      assessedLandValue: Math.min(land, assessed),
      assessedBuildingValue: assessed - Math.min(land, assessed),
      exemptionAmount: exemption,
      taxableValue: assessed - exemption,
      valueType: 'just',
      taxYear: year,
      taxValue: ((assessed - exemption) * 0.0198).toFixed(2),
      taxRateCodeArea: pad(100 * (1 + (market % 9)), 4),
    }
  },
  zoning: {
    home: ['RSF-1', 'SINGLE FAMILY LOW DENSITY'],
    dense: ['RMF-7', 'MULTIPLE FAMILY'],
    trade: ['BUS', 'GENERAL BUSINESS'],
    farm: ['A', 'AGRICULTURE'],
  },
}

function quadrantStreet(random: Random): string {
  const across = random.chance(0.5)
  const kinds = across
    ? ['AVE', 'AVE', 'AVE', 'PL', 'LN', 'RD']
    : ['ST', 'ST', 'ST', 'TER', 'DR', 'WAY']
  const number = random.between(1, 160)
  return `${random.pick(['NW', 'SW', 'NE', 'SE'])} ${ordinal(number)} ${random.pick(kinds)}`
}
