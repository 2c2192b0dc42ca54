/**
 * The style of Illinois rolls: `TT-SS-BBB-PPP`, couples on one line with a comma, assessed at a
 * third, grid numbers.
 */
import type { RollStyle } from '../roll-style.ts'
import { ordinal, pad } from '../write.ts'

export const illinois: RollStyle = {
  state: 'IL',
  county: 'DUPAGE',
  share: 0.3,
  box: [41.71, -88.24, 41.97, -87.94],
  cities: [
    { name: 'NAPERVILLE', zips: ['60540', '60563', '60565'], lat: 41.76, lon: -88.14, weight: 20 },
    { name: 'WHEATON', zips: ['60187', '60189'], lat: 41.86, lon: -88.11, weight: 10 },
    { name: 'DOWNERS GROVE', zips: ['60515', '60516'], lat: 41.8, lon: -88.01, weight: 10 },
    { name: 'ELMHURST', zips: ['60126'], lat: 41.9, lon: -87.95, weight: 9 },
    { name: 'LOMBARD', zips: ['60148'], lat: 41.88, lon: -88.01, weight: 9 },
    { name: 'CAROL STREAM', zips: ['60188'], lat: 41.91, lon: -88.13, weight: 7 },
    { name: 'GLEN ELLYN', zips: ['60137'], lat: 41.87, lon: -88.06, weight: 7 },
    { name: 'ADDISON', zips: ['60101'], lat: 41.93, lon: -88.0, weight: 6 },
    { name: 'BLOOMINGDALE', zips: ['60108'], lat: 41.95, lon: -88.08, weight: 5 },
    { name: 'WEST CHICAGO', zips: ['60185'], lat: 41.89, lon: -88.2, weight: 6 },
    { name: 'LISLE', zips: ['60532'], lat: 41.79, lon: -88.08, weight: 5 },
    { name: 'ST CHARLES', zips: ['60174'], lat: 41.92, lon: -88.23, weight: 1 },
    { name: 'HINSDALE', zips: ['60521'], lat: 41.8, lon: -87.95, weight: 4 },
  ],
  regionalSurnames:
    `NOWAK KOWALSKI WISNIEWSKI NOVAK LEWANDOWSKI ZIELINSKI KAMINSKI WOJCIK MAZUR KOZLOWSKI PATEL
    SHAH KHAN SINGH
    RUSSO ROMANO ESPOSITO MARINO CARUSO DE_LUCA DI_MAGGIO RIZZO LOMBARDO MANCINI O'MALLEY O'SULLIVAN
    FITZGERALD GALLAGHER
    SVOBODA DVORAK PROCHAZKA CERNY HORAK REYES SANTOS CRUZ RIVERA ORTIZ MARTINEZ HERNANDEZ GUPTA
    SHARMA REDDY DESAI AHMED
    KIM PARK CHEN WANG LIU SCHMITZ SCHRAMM VAN_DER_MEER DE_VRIES JANKOWSKI STASIAK BARAN CHMIEL
    DUDEK PIETRZAK`
      .split(/\s+/)
      .map((name) => name.replaceAll('_', ' ')),
  regionalShare: 0.22,
  comma: true,
  couples: 'line',
  suffixFirst: false,
  tenure: [''],
  careOf: 'column',
  careOfMark: 'ATTN ',
  publicBodies: [
    'CITY OF {city}',
    'VILLAGE OF {city}',
    '{city} PARK DISTRICT',
    'FOREST PRESERVE DISTRICT OF DUPAGE COUNTY',
    'COMMUNITY UNIT SCHOOL DISTRICT 200',
    'COUNTY OF DUPAGE',
    'STATE OF ILLINOIS DEPT OF TRANSPORTATION',
  ],
  publicStreet: '100 CIVIC CENTER DR',
  layouts: [
    ['subdivision', 46],
    ['town', 32],
    ['condo', 12],
    ['strip', 7],
    ['rural', 7],
    ['court', 0.5],
  ],
  /** The area gives township and section; the block distinguishes within them. */
  parcelId({ block, lot }) {
    const area = block % 360
    const town = pad(Math.floor(area / 36) + 1, 2)
    const part = 100 + Math.floor(block / 360)
    return `${town}-${pad((area % 36) + 1, 2)}-${pad(part, 3)}-${pad(lot, 3)}`
  },
  taxAccount: () => '',
  legal(lot, random) {
    const survey = `SEC ${lot.section} TWP ${36 + (lot.township % 5)} N R ${9 + (lot.range % 3)} E`
    if (lot.rural)
      return `PT OF ${random.pick(['NE', 'NW', 'SE', 'SW'])} 1/4 ${survey} ${lot.acres} ACRES`
    if (lot.unit !== null) return `UNIT ${lot.unit} IN ${lot.plat} CONDOMINIUM, ${survey}`
    return `LOT ${lot.lot} IN BLOCK ${lot.platBlock} IN ${lot.plat}, A SUB IN ${survey}`
  },
  street(layout, random) {
    if (layout === 'strip') {
      return random.pick([
        'OGDEN AVE',
        'W ROOSEVELT RD',
        'E NORTH AVE',
        'BUTTERFIELD RD',
        'S ROUTE 59',
        'IL ROUTE 83',
        'W LAKE ST',
        'US HIGHWAY 34',
        'W 75TH ST',
        'S NAPERVILLE RD',
      ])
    }
    if (layout === 'town' && random.chance(0.12))
      return `${random.pick(['W', 'E'])} ${ordinal(random.between(55, 83))} ST`
    return ''
  },
  ruralRoad: () => '',
  ruralNumbers: [20_000, 29_900],
  /** Outside the villages a number counts miles from the county's corner: `27W140 BIG HORN DR`. */
  number(plain, street) {
    const miles = Math.floor(plain / 1000)
    if (miles < 20) return String(plain)
    const rest = pad(plain % 1000, 3)
    const northSouth = street.endsWith('ST') || street.endsWith('RD')
    return northSouth
      ? `${miles - 19}${street.length % 2 === 0 ? 'N' : 'S'}${rest}`
      : `${miles}W${rest}`
  },
  unitInLine: false,
  unitWords: ['UNIT', '', 'APT'],
  useCodes: {
    house: ['R', 'RESIDENTIAL'],
    duplex: ['R', 'RESIDENTIAL'],
    condo: ['R', 'RESIDENTIAL'],
    mobile: ['R', 'RESIDENTIAL'],
    apartments: ['C', 'COMMERCIAL'],
    store: ['C', 'COMMERCIAL'],
    office: ['C', 'COMMERCIAL'],
    warehouse: ['I', 'INDUSTRIAL'],
    farm: ['F', 'FARM'],
    vacant: ['V', 'VACANT'],
    public: ['E', 'EXEMPT'],
    church: ['E', 'EXEMPT'],
  },
  values({ market, land, year, homestead }) {
    const third = (value: number) => Math.round(value / 3)
    const exemption = homestead ? 8000 : 0
    const assessed = third(land) + third(market - land)
    const taxable = Math.max(0, assessed - exemption)
    return {
      assessedLandValue: third(land),
      assessedBuildingValue: third(market - land),
      totalAssessedValue: assessed,
      exemptionAmount: exemption,
      taxableValue: taxable,
      valueType: 'assessed',
      taxYear: year - 1,
      taxValue: (taxable * 0.0712).toFixed(2),
      taxRateCodeArea: pad(1001 + (market % 47), 4),
    }
  },
  zoning: {
    home: ['R-2', 'SINGLE FAMILY RESIDENCE'],
    dense: ['R-5', 'GENERAL RESIDENCE'],
    trade: ['B-2', 'GENERAL BUSINESS'],
    farm: ['R-1', 'ESTATE RESIDENCE'],
  },
}
