/**
 * Which codes of each mapping's roll have a use code: what publishers list, read by the mapping.
 * `npm run fields` writes `docs/mapping-uses.tsv` from it.
 */
import { Columns, compileValue } from '../../src/import/mapping/expression.ts'
import { listMappingNames, loadMapping, type Value } from '../../src/import/mapping/mapping.ts'
import { readUseCode } from '../../src/record/use-codes.ts'

const TEXAS =
  'A A1 A2 A3 B B1 B2 B3 B4 C C1 C2 D1 D2 E E1 F1 F2 G1 J1 J2 J3 J4 L1 L2 M1 N O O1 S X XA XV'
/** Rural land with or without a house, intangible property, and a builder's lots and houses. */
const TEXAS_NONE = 'E E1 N O O1'
/** The codes of Dallas's appraisal district, by its list of what the state calls them. */
const DALLAS =
  'A11 A12 A13 A20 B11 B12 C11 C12 C13 C14 D10 D20 E11 E12 F10 F20 G10 G30 J10 J20 J30 J40 J51 ' +
  'J52 J60 J70 L10 M10 M20 L20 M31 M32 N10 O10 O11 S10'
const DALLAS_NONE = 'E11 E12 N10'
/** Of New York's classes those that a county prints with their words. */
const NEW_YORK =
  '105 110 120 210 215 220 230 240 241 250 260 270 271 281 311 312 314 315 322 330 340 ' +
  '411 414 415 416 418 421 425 426 431 432 433 434 438 441 442 444 446 447 449 452 454 ' +
  '457 461 465 471 473 482 484 500 512 534 541 553 570 590 612 620 633 652 662 692 695 ' +
  '710 720 822 842 844 852 853 910 920 930 941 961 971 972'
const OHIO =
  '100 110 200 300 310 400 401 402 403 420 440 499 500 501 510 520 530 550 599 600 640 650 685 690'

/**
 * Property classes of Indiana. Marion County's texts confirm 500, 501, 510, 511, 520, 550 and 599;
 * the others are numbered as Ohio's. The state's manual was not read.
 */
const INDIANA =
  '100 101 199 210 300 310 340 400 401 403 410 421 447 480 499 500 501 505 510 511 520 530 540 ' +
  '550 599 600 610 620 640 650 660 685 699 800 840'
/**
 * Classes as counties of Michigan name them: improved and vacant; personal property. The State Tax
 * Commission's own list was not read.
 */
const MICHIGAN = '101 102 151 201 202 251 301 302 351 401 402 407 451 501 502 551 601 602 701'
/** Developmental and exempt: what is on them is not said. */
const MICHIGAN_NONE = '601 602 701'
/** Codes of Maricopa and Pima counties whose meaning was read on their layers. */
const ARIZONA =
  '0011 0012 0014 0021 0022 0036 0111 0121 0131 0132 0141 0197 0261 0321 0325 0335 0345 0366 ' +
  '0735 0737 1571 9400 9600 9690 9700 9920 1040 1170 1960 2180 3070'
/** Shops, homes for the aged, restaurants, quarries: the state's manual was not to be had. */
const ARIZONA_NONE = '1040 1170 1960 2180 3070'

/** Type 102 of the look-up table of King County's extracts, all but historic and odd ones. */
const KING =
  '0 2 3 4 5 6 7 8 9 10 11 16 17 18 20 25 29 38 48 49 51 55 56 57 58 59 60 61 62 63 64 ' +
  '96 101 104 105 106 118 122 126 130 137 138 140 141 142 143 145 146 147 149 150 152 ' +
  '153 156 157 159 160 161 162 163 165 166 167 168 171 172 173 179 180 182 183 184 185 ' +
  '186 188 189 190 191 193 194 195 202 210 216 223 245 246 247 252 261 262 263 264 266 ' +
  '267 271 272 273 274 275 276 277 278 279 280 299 300 301 309 316 323 324 325 326 327 ' +
  '328 330 331 332 333 334 335 336 337 339 340 341 342 343 344 345 346'
const KING_NONE = '0 7 277 278 279 280 336 339'
/** Digits of Oregon's rule 150-308-0310: what is used, how zoned, what stands on the land. */
const OREGON =
  '002 100 101 102 109 111 121 200 201 300 301 400 401 409 500 550 551 600 640 700 701 800 801 ' +
  '910 911 920 940 990'
/** Letters of Georgia's rule 560-11-2-.21 with its strata. */
const GEORGIA = 'R1 R3 R4 R5 T3 A4 A5 V4 V5 J5 F5 P5 C3 C4 I3 I5 U2 B3 H3 W5 E1'
/** Secondary categories of Idaho's rules 510 to 512, alone and as rolls join them. */
const IDAHO =
  '1 3 5 6 7 12 13 14 15 16 17 18 20 21 22 25 26 27 31 33 34 35 36 37 38 39 40 41 42 43 46 47 48 ' +
  '50 51 65 67 81 20,41 12/34 1,10,31 30 32 10 11 19'
/** Labels next to the codes of Charleston County. */
const CHARLESTON =
  '101 110 120 121 130 140 160 200 210 250 304 451 460 500 530 580 630 650 691 700 742 750 800 ' +
  '900 905 910 952 990 195'

/** The roll's codes, as publishers list them; and those without a code of the contract. */
export const TABLES: Record<string, { codes: string; none: string; column?: string }> = {
  'tx-pacs': { codes: TEXAS, none: TEXAS_NONE },
  'tx-bexar': { codes: TEXAS, none: TEXAS_NONE },
  'tx-travis': { codes: TEXAS, none: TEXAS_NONE },
  'tx-stratmap': { codes: TEXAS, none: TEXAS_NONE },
  'tx-dallas': { codes: DALLAS, none: DALLAS_NONE },
  'tx-denton': { codes: TEXAS, none: TEXAS_NONE },
  'tx-harris': { codes: TEXAS, none: TEXAS_NONE },
  'oh-hamilton': { codes: OHIO, none: '' },
  'oh-ogrip': { codes: OHIO, none: '' },
  'oh-stark': { codes: OHIO, none: '', column: 'LAND_USE_CODE' },
  'ny-statewide': {
    codes: NEW_YORK,
    none: '',
  },
  'nj-modiv': { codes: '1 2 3A 3B 4A 4B 4C 5A 5B 15A 15B 15C 15D 15E 15F', none: '' },
  'ut-lir': { codes: 'R MH C I A RE', none: '' },
  'vt-vcgi': {
    codes: 'R1 R2 MHU MHL S1 S2 C CA I UE UO F W O M',
    none: 'O M',
  },
  'wi-statewide': { codes: '1 2 3 4 5 5M 6 7', none: '' },
  'ar-camp': { codes: 'R RI RV CI CV AV', none: '' },
  'wa-current': { codes: '11 12 13 14 15 16 17 18 19 21 39 45 48 53 81 83 87 88 91 95', none: '' },
  'fl-dor-nal': {
    codes: Array.from({ length: 100 }, (_, at) => String(at).padStart(3, '0')).join(' '),
    none: '',
  },
  'ma-massgis-l3': {
    codes: '101 102 103 104 105 106 109 111 112 121 130 131 132 325 400 970',
    none: '',
  },
  'in-gateway': { codes: INDIANA, none: '' },
  'in-map': { codes: INDIANA, none: '' },
  'mi-detroit': { codes: MICHIGAN, none: MICHIGAN_NONE },
  'mi-kent': { codes: MICHIGAN, none: MICHIGAN_NONE },
  'az-maricopa': { codes: ARIZONA, none: ARIZONA_NONE, column: 'PUC' },
  'az-pima': { codes: ARIZONA, none: ARIZONA_NONE },
  'wa-king': { codes: KING, none: KING_NONE, column: 'PresentUse' },
  'or-marion': { codes: OREGON, none: '401' },
  'or-multnomah': { codes: OREGON, none: '401', column: 'PROPCLASS' },
  'ga-cobb': { codes: GEORGIA, none: 'B3 H3 W5 E1' },
  'ga-fulton': { codes: GEORGIA, none: 'B3 H3 W5 E1', column: 'ClassCode' },
  'id-public': { codes: IDAHO, none: '30 32 10 11 19' },
  'sc-charleston': { codes: CHARLESTON, none: '195' },
  'nv-washoe': { codes: '100 120 200 210 300 400 500 600 700 800', none: '800' },
  'mo-st-louis-county': { codes: 'R C A', none: '' },
  'il-dupage': { codes: 'R C I E F A L M N O T', none: 'A L M N O T' },
  'il-peoria': { codes: '0011 0021 0030 0040 0060', none: '0011 0021 0030 0060' },
  'ca-san-diego': { codes: '110 111 171 060 760', none: '060 760', column: 'NUCLEUS_USE_CD' },
}

/** What a mapping makes of a code of its roll, in one column or in all that it reads. */
export function readUses(name: string, code: string, column = TABLES[name]?.column) {
  const { fields } = loadMapping(name)
  const read = (value: Value | undefined) => {
    if (value === undefined) return null
    const names = [...new Set(columnsOf(value))]
    const row = names.map((one) => (column === undefined || one === column ? code : ''))
    return compileValue(value, new Columns(names), [])?.(row) ?? null
  }
  const use = read(fields.useCode) ?? readUseCode(null, read(fields.useDescription) ?? '')
  return { use, residential: read(fields.residential) }
}

/** Lines of `docs/mapping-uses.tsv`. */
export function listMappingUses(): string {
  const lines = listMappingNames().map((name) => {
    const { useCode, useDescription, useCodeLocal } = loadMapping(name).fields
    const from = [
      useCode !== undefined && 'codes',
      useDescription !== undefined && 'words',
      useCode === undefined && useDescription === undefined && 'none',
    ].filter((one) => one !== false)
    const table = TABLES[name]
    const codes = table?.codes.split(' ') ?? []
    const without = codes.filter((code) => readUses(name, code).use === null)
    const share = codes.length === 0 ? '' : `${codes.length - without.length} of ${codes.length}`
    const why =
      from[0] !== 'none'
        ? (table?.none && (WHY[name] ?? WHY[name.slice(0, 2)])) || ''
        : useCodeLocal === undefined
          ? 'the roll has no use'
          : (WHY[name.slice(0, 2)] ?? 'no published table of its codes was found')
    return [name, from.join(', '), share, without.join(' '), why].join('\t')
  })
  const head = ['mapping', 'from', 'codes with a use', 'without', 'why'].join('\t')
  return `${[head, ...lines].join('\n')}\n`
}

/** Why codes of a mapping, or of all mappings of a state, have none. */
const WHY: Record<string, string> = {
  al: 'classes of the tax, where homes and farms are one',
  'ca-san-diego': 'only houses, condominiums and apartments were found by their counts',
  ga: 'brownfield, historic, environmentally sensitive, exempt: homes or not',
  'id-public': 'other improvements, homesites, recreation, public rights-of-way',
  'il-dupage': 'no published table was found; others found these letters to be of several kinds',
  'il-peoria': 'no published table was found; other counties print 0040 as improved lots',
  'nv-washoe': 'no category of NAC 361.1178',
  or: 'rural land with or without a house',
  'sc-charleston': 'a home valued with a business',
  'wa-king': 'houseboats, historic parks and transient houses, rights, shells',
  'vt-vcgi': 'other and miscellaneous property, condominiums among it',
  tx: 'rural land with or without a house, intangible property, lots and houses of a builder',
  mi: 'developmental and exempt property: the class does not say what is on it',
  az: "no published table was read; these are not evident from the counties' layers",
}

function columnsOf(value: Value): string[] {
  if (typeof value === 'string') return [value]
  const own = value.column === undefined ? [] : [value.column].flat().slice(0, 1)
  return [...own, ...[...(value.first ?? []), ...(value.join ?? [])].flatMap(columnsOf)]
}
