/**
 * The style of Wisconsin rolls: survey-based IDs, `LAST, FIRST` in two slots, county highways and
 * grid numbers.
 */
import type { Random } from '../random.ts'
import type { RollStyle } from '../roll-style.ts'
import { pad } from '../write.ts'

export const wisconsin: RollStyle = {
  state: 'WI',
  county: 'DANE',
  share: 0.22,
  box: [42.87, -89.8, 43.27, -89.04],
  cities: [
    {
      name: 'MADISON',
      zips: ['53703', '53704', '53705', '53711', '53713', '53714', '53716', '53717', '53719'],
      lat: 43.07,
      lon: -89.4,
      weight: 46,
    },
    { name: 'SUN PRAIRIE', zips: ['53590'], lat: 43.18, lon: -89.22, weight: 12 },
    { name: 'FITCHBURG', zips: ['53711'], lat: 43.0, lon: -89.45, weight: 8 },
    { name: 'MIDDLETON', zips: ['53562'], lat: 43.1, lon: -89.51, weight: 8 },
    { name: 'VERONA', zips: ['53593'], lat: 42.99, lon: -89.54, weight: 6 },
    { name: 'WAUNAKEE', zips: ['53597'], lat: 43.19, lon: -89.45, weight: 6 },
    { name: 'STOUGHTON', zips: ['53589'], lat: 42.92, lon: -89.22, weight: 5 },
    { name: 'MOUNT HOREB', zips: ['53572'], lat: 43.01, lon: -89.74, weight: 4 },
    { name: 'DEFOREST', zips: ['53532'], lat: 43.24, lon: -89.34, weight: 5 },
  ],
  regionalSurnames:
    `HANSON OLSON LARSON SCHMIDT MEYER KRUEGER SCHULTZ MUELLER KOCH BECKER SCHROEDER ZIMMERMAN
    NELSON JOHNSON
    ANDERSON PETERSON CHRISTENSON ESPESETH TVEDT HAUGEN KNUTSON GUNDERSON HALVORSON THORSON SEVERSON
    STENSRUD LIEN MOEN KOENIG WOLF KRAUSE LEMKE RADTKE STEINHAUER ZIEGLER BRANDT VOGEL HARTMANN
    KAISER DIETRICH ACKERMAN FREDERICK GEORGESON
    VANG YANG XIONG THAO LOR MOUA WEBER KELLER PFEIFFER SCHAEFER BUCHHOLZ TESCH RUSCH HELLENBRAND
    ENDRES KARLS LAUFENBERG`.split(/\s+/),
  regionalShare: 0.25,
  comma: true,
  couples: 'slots',
  suffixFirst: false,
  tenure: [''],
  careOf: 'column',
  careOfMark: 'C/O ',
  publicBodies: [
    'CITY OF {city}',
    'CITY OF {city} PARKS DIVISION',
    '{city} METROPOLITAN SCHOOL DISTRICT',
    'COUNTY OF DANE',
    'STATE OF WISCONSIN DEPT OF NATURAL RESOURCES',
    'STATE OF WISCONSIN DOT',
    'UNITED STATES OF AMERICA',
  ],
  publicStreet: '200 MUNICIPAL PLZ',
  layouts: [
    ['subdivision', 50],
    ['town', 24],
    ['condo', 8],
    ['strip', 6],
    ['rural', 16],
    ['court', 1],
  ],
  /** `0709-133-0602-5`: township and range, section and quarter, plat and lot, a check digit. */
  parcelId({ block, lot, township, range, section }) {
    const survey = pad(township, 2) + pad(range, 2)
    const digits = `${survey}${pad(section, 2)}${(block % 4) + 1}${pad(lot, 2)}`
    const part = `${pad(Math.floor(block / 4), 5)}${pad(lot, 2)}`
    return `${survey}-${pad(section, 2)}${(block % 4) + 1}-${part}-${checkDigit(digits)}`
  },
  taxAccount: () => '',
  legal(lot, random) {
    if (lot.rural) {
      return (
        `SEC ${lot.section}-${lot.township}-${lot.range} PRT ${quarter(random)} ` +
        `${quarter(random)} ${lot.acres} AC M/L`
      )
    }
    if (lot.unit !== null) {
      return `${lot.plat} CONDOMINIUM UNIT ${lot.unit} & UNDIV INT IN COMMON ELEMENTS`
    }
    return (
      `${lot.plat}, BLOCK ${lot.platBlock}, LOT ` +
      `${lot.lot}${random.chance(0.1) ? ` & ${quarter(random)} OF LOT ${lot.lot + 1}` : ''}`
    )
  },
  street(layout, random) {
    if (layout !== 'strip') return ''
    return random.pick([
      'E WASHINGTON AVE',
      'W BELTLINE HWY',
      'US HIGHWAY 51',
      'STATE HIGHWAY 19',
      'COUNTY HIGHWAY PD',
      'S PARK ST',
      'ODANA RD',
      'N STOUGHTON RD',
    ])
  },
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.3) return `COUNTY HIGHWAY ${random.pick(COUNTY_LETTERS)}`
    if (share < 0.38) return `STATE HIGHWAY ${random.pick([19, 69, 73, 78, 92, 113, 138])}`
    if (share < 0.42) return `US HIGHWAY ${random.pick([12, 14, 18, 51])}`
    return ''
  },
  ruralNumbers: [1000, 9900],
  /** Towns at the county's edge use the grid of their neighbours: `N1234 COUNTY HIGHWAY V`. */
  number(plain, street) {
    if (!street.startsWith('COUNTY HIGHWAY') || plain % 5 !== 0) return String(plain)
    return `${plain % 2 === 0 ? 'N' : 'W'}${plain}`
  },
  unitInLine: true,
  unitWords: ['UNIT', 'UNIT', 'APT', '#'],
  useCodes: {
    house: ['1-101', 'RESIDENTIAL SINGLE FAMILY'],
    duplex: ['1-102', 'RESIDENTIAL TWO UNIT'],
    condo: ['1-103', 'RESIDENTIAL CONDOMINIUM'],
    mobile: ['1-105', 'MOBILE HOME'],
    apartments: ['2-200', 'COMMERCIAL APARTMENTS'],
    store: ['2-210', 'COMMERCIAL RETAIL'],
    office: ['2-220', 'COMMERCIAL OFFICE'],
    warehouse: ['3-300', 'MANUFACTURING'],
    farm: ['4-400', 'AGRICULTURAL'],
    vacant: ['1-100', 'RESIDENTIAL VACANT'],
    public: ['X-900', 'EXEMPT PUBLIC'],
    church: ['X-940', 'EXEMPT RELIGIOUS'],
  },
  values({ market, land, year, homestead }) {
    const assessed = Math.round(market * 0.93)
    const assessedLand = Math.round(land * 0.93)
    return {
      assessedLandValue: assessedLand,
      assessedBuildingValue: assessed - assessedLand,
      totalAssessedValue: assessed,
      taxableValue: assessed,
      valueType: 'assessed',
      taxYear: year - 1,
      taxValue: Math.max(0, assessed * 0.0187 - (homestead ? 214 : 0)).toFixed(2),
      taxRateCodeArea: '251',
    }
  },
  zoning: {
    home: ['TR-C1', 'TRADITIONAL RESIDENTIAL'],
    dense: ['TR-U1', 'URBAN RESIDENTIAL'],
    trade: ['CC-T', 'COMMERCIAL CORRIDOR'],
    farm: ['FP-35', 'FARMLAND PRESERVATION'],
  },
}

const COUNTY_LETTERS =
  'A B D F G H I J K M N P Q S T V W X Y AB BB BW CC CV DM JG KP MM MN PB PD TT ZZ'.split(' ')

function quarter(random: Random): string {
  return `${random.pick(['NE', 'NW', 'SE', 'SW'])}1/4`
}

function checkDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[at]) * ((at % 2) + 1)
  return sum % 10
}
