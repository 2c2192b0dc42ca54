/**
 * The style of Texas rolls: account numbers with gaps, couples on one line without a comma, FM
 * roads, appraised values.
 */
import type { RollStyle } from '../roll-style.ts'
import { ordinal, pad } from '../write.ts'

export const texas: RollStyle = {
  state: 'TX',
  county: 'TRAVIS',
  share: 0.35,
  box: [30.1, -98.05, 30.55, -97.45],
  cities: [
    {
      name: 'AUSTIN',
      zips: `78701 78702 78703 78704 78705 78721 78723 78724 78727 78731 78741 78744 78745 78748
      78749 78750
      78753 78757 78758 78759`.split(/\s+/),
      lat: 30.28,
      lon: -97.74,
      weight: 68,
    },
    { name: 'PFLUGERVILLE', zips: ['78660'], lat: 30.44, lon: -97.62, weight: 10 },
    { name: 'MANOR', zips: ['78653'], lat: 30.34, lon: -97.56, weight: 6 },
    { name: 'DEL VALLE', zips: ['78617'], lat: 30.19, lon: -97.61, weight: 5 },
    { name: 'LAKEWAY', zips: ['78734', '78738'], lat: 30.36, lon: -97.98, weight: 6 },
    { name: 'LAGO VISTA', zips: ['78645'], lat: 30.45, lon: -97.99, weight: 5 },
  ],
  regionalSurnames:
    `GARCIA MARTINEZ HERNANDEZ RODRIGUEZ LOPEZ GONZALEZ PEREZ SANCHEZ RAMIREZ FLORES TORRES RIVERA
    GOMEZ REYES
    CRUZ MORALES DIAZ GUTIERREZ ORTIZ CASTILLO MENDOZA RUIZ VASQUEZ JIMENEZ MORENO HERRERA MEDINA
    AGUILAR GUERRERO
    DE_LA_CRUZ DE_LEON DE_LA_GARZA DEL_RIO GARZA TREVINO CANTU SALINAS VILLARREAL GARCIA-LOPEZ
    NGUYEN TRAN PHAM LE KRAUSE
    SCHNEIDER KOEHLER FISCHER ZAPATA CERVANTES ESPINOZA SANDOVAL DELGADO CONTRERAS MUNOZ NAVARRO
    SOLIS BARRERA LUNA`
      .split(/\s+/)
      .map((name) => name.replaceAll('_', ' ')),
  regionalShare: 0.26,
  comma: false,
  couples: 'line',
  suffixFirst: false,
  tenure: ['', '', '', '', '', 'ETUX'],
  careOf: 'slot',
  careOfMark: '% ',
  publicBodies: [
    'CITY OF {city}',
    '{city} ISD',
    'TRAVIS COUNTY',
    'STATE OF TEXAS',
    'TRAVIS COUNTY MUD NO 4',
    'UNITED STATES OF AMERICA',
  ],
  publicStreet: 'PO BOX 1088',
  layouts: [
    ['subdivision', 56],
    ['town', 20],
    ['condo', 10],
    ['strip', 5],
    ['rural', 11],
    ['court', 1.5],
  ],
  /** Numbers are assigned in the order of filing, and a few are skipped. */
  parcelId: ({ serial }, random) => String(100_000 + serial * 3 + random.below(3)),
  taxAccount({ block, lot }) {
    return `${pad(1 + (block % 4), 2)}${pad(Math.floor(block / 4), 5)}${pad(lot, 3)}`
  },
  legal(lot, random) {
    if (lot.rural) {
      const survey = random.pick(['SMITH J', 'WALKER T', 'BAKER I', 'HILL W', 'GOMEZ A'])
      return `ABS ${random.between(1, 899)} SUR ${random.between(1, 99)} ${survey} ACR ${lot.acres}`
    }
    if (lot.unit !== null) {
      return (
        `UNT ${lot.unit} ${lot.plat} CONDOMINIUMS PLUS ${random.unit().toFixed(4)} % INT ` +
        'IN COM AREA'
      )
    }
    return (
      `LOT ${lot.lot} BLK ${String.fromCharCode(64 + Math.min(lot.platBlock, 26))} ` +
      `${lot.plat} SEC ${1 + (lot.block % 5)}`
    )
  },
  street(layout, random) {
    if (layout === 'strip') {
      return random.pick([
        'N LAMAR BLVD',
        'S CONGRESS AVE',
        'BURNET RD',
        'W US HIGHWAY 290',
        'N INTERSTATE 35',
        'RANCH ROAD 620',
        'W HIGHWAY 71',
        'E 7TH ST',
        'RESEARCH BLVD',
      ])
    }
    if (layout === 'town' && random.chance(0.15))
      return `${random.pick(['E', 'W'])} ${ordinal(random.between(24, 56))} ST`
    return ''
  },
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.2) return `FM ${random.pick([969, 973, 1625, 1626, 1825])}`
    if (share < 0.27) return `W FM ${random.pick([1431, 2244, 2769])}`
    if (share < 0.34) return `RANCH ROAD ${random.pick([12, 620, 2222])}`
    if (share < 0.4) return `COUNTY ROAD ${random.between(100, 299)}`
    if (share < 0.46) return `${random.pick(['E', 'W'])} STATE HIGHWAY 71`
    return ''
  },
  ruralNumbers: [1000, 24_000],
  number: (plain) => String(plain),
  unitInLine: true,
  unitWords: ['UNIT', '#', 'APT', 'BLDG 2 UNIT'],
  useCodes: {
    house: ['A1', 'SINGLE FAMILY RESIDENCE'],
    duplex: ['B2', 'DUPLEX'],
    condo: ['A4', 'CONDOMINIUM'],
    mobile: ['A2', 'MOBILE HOME'],
    apartments: ['B1', 'MULTIFAMILY'],
    store: ['F1', 'COMMERCIAL'],
    office: ['F1', 'COMMERCIAL'],
    warehouse: ['F2', 'INDUSTRIAL'],
    farm: ['D1', 'QUALIFIED AG LAND'],
    vacant: ['C1', 'VACANT LOT'],
    public: ['XV', 'EXEMPT'],
    church: ['XV', 'EXEMPT'],
  },
  values({ market, land, year, homestead, held }) {
    const capped = homestead ? Math.round(market / (1 + Math.min(held, 4) * 0.02)) : market
    const exemption = homestead ? Math.min(capped, 100_000) : 0
    return {
      totalAssessedValue: capped,
      assessedLandValue: Math.min(land, capped),
      assessedBuildingValue: capped - Math.min(land, capped),
      exemptionAmount: exemption,
      taxableValue: capped - exemption,
      valueType: 'appraised',
      taxYear: year,
      taxValue: ((capped - exemption) * 0.0197).toFixed(2),
      taxRateCodeArea: '03',
    }
  },
  zoning: {
    home: ['SF-3', 'FAMILY RESIDENCE'],
    dense: ['MF-3', 'MULTIFAMILY MEDIUM DENSITY'],
    trade: ['CS', 'COMMERCIAL SERVICES'],
    farm: ['RR', 'RURAL RESIDENCE'],
  },
}
