/**
 * Ten forms in which counties record the same facts. Each has its columns, and the expected values
 * by the flat names of the record. They were written before the code was improved for them, and
 * must not be adapted to its drafts.
 */
import { inventTruth, ownerOf, type Town, type Truth } from './truth.ts'

export type Manner = {
  title: string
  state: string
  county: string
  fileName: string
  truths: Truth[]
  text: string
  /** The ID by which a parcel is asked for. */
  idOf(truth: Truth): string
  /** Fields that must be served with these values, unless the draft marks them as uncertain. */
  expect(truth: Truth): Record<string, unknown>
}

type Column = [name: string, write: (truth: Truth) => string | number]

type Told = Pick<Manner, 'title' | 'state' | 'county' | 'expect'> & {
  columns: Column[]
  towns: Town[]
  separator?: string
  above?: string[]
  below?: string[]
  idOf?: (truth: Truth) => string
  /** Rows of one parcel; default: one. */
  rowsOf?: (truth: Truth) => Truth[]
}

const COUNT = 60

function manner(told: Told): Manner {
  const { title, state, county, columns, separator = ',', above = [], below = [] } = told
  const truths = inventTruth(title, state, told.towns, COUNT)
  const quote = (text: string) =>
    text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
  const line = (texts: (string | number)[]) =>
    texts.map((one) => quote(String(one))).join(separator)
  const rows = truths.flatMap((truth) => told.rowsOf?.(truth) ?? [truth])
  const lines = [
    ...above,
    line(columns.map(([name]) => name)),
    ...rows.map((truth) => line(columns.map(([, write]) => write(truth)))),
    ...below,
  ]
  const idOf = told.idOf ?? serial
  return {
    title,
    state,
    county,
    fileName: `${county.toLowerCase().replaceAll(' ', '-')}-${state.toLowerCase()}.csv`,
    truths,
    text: `${lines.join('\n')}\n`,
    idOf,
    expect: (truth) => ({ parcelId: idOf(truth), ...told.expect(truth) }),
  }
}

const serial = ({ at }: Truth) => `${40 + (at % 9)}-${String(1000 + at * 7)}-${10 + (at % 80)}`

const town = (city: string, zip: string, municipality: string): Town => ({
  city,
  zip,
  municipality,
})

const money = (amount: number) => `$${amount.toLocaleString('en-US')}.00`
const capital = (text: string) =>
  text.toLowerCase().replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase())
const NAMES: Record<string, string> = {
  OR: 'Oregon',
  AZ: 'Arizona',
  GA: 'Georgia',
  CO: 'Colorado',
  NJ: 'New Jersey',
  PA: 'Pennsylvania',
}
const stateName = (code: string) => NAMES[code] ?? code
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const partsOf = (day: string) => day.split('-') as [string, string, string]

/** `123 MAPLE ST` as `0123 MAPLE ST`. */
const padded = (line: string) => line.replace(/^\d+/, (digits) => digits.padStart(4, '0'))

const mail = ({ mailLine, mailCity, mailState, mailZip }: Truth) => ({
  ownerAddressLine1: mailLine,
  ownerCity: mailCity,
  ownerState: mailState,
  ownerZipCode: mailZip,
})
const occupied = ({ isAway }: Truth) => ({ ownerOccupied: !isAway })

const PENNSYLVANIA = [
  town('SHILLINGTON', '19607', 'CUMRU TOWNSHIP'),
  town('READING', '19608', 'SPRING TOWNSHIP'),
  town('FLEETWOOD', '19522', 'FLEETWOOD BORO'),
]
const OREGON = [town('HILLTOWN', '97124', 'HILLTOWN'), town('LAKE GROVE', '97006', 'TUALATIN')]
const MICHIGAN = [
  town('TEMPERANCE', '48182', 'BEDFORD TOWNSHIP'),
  town('MONROE', '48161', 'FRENCHTOWN TOWNSHIP'),
]
const NEW_JERSEY = [
  town('LEDGEWOOD', '07852', 'ROXBURY TWP'),
  town('SUCCASUNNA', '07876', 'ROXBURY TWP'),
  town('FLANDERS', '07836', 'MOUNT OLIVE TWP'),
]
const OHIO = [town('TIFFIN', '44883', 'CLINTON TWP'), town('FOSTORIA', '44830', 'LOUDON TWP')]

export const MANNERS: Manner[] = [
  manner({
    title: 'township and tax district beside the post office',
    state: 'PA',
    county: 'Berks',
    towns: PENNSYLVANIA,
    columns: [
      ['PIN', serial],
      ['OWNER', ownerOf],
      ['SITUS', ({ line }) => line],
      ['MUNICIPALITY', ({ town }) => town.municipality],
      ['TAX_DIST', ({ town }) => `${town.zip.slice(3)} ${town.municipality}`],
      ['POST_OFFICE', ({ town }) => town.city],
      ['ZIP', ({ town }) => town.zip],
      ['MAIL_ADDR', ({ mailLine }) => mailLine],
      ['MAIL_CITY', ({ mailCity }) => mailCity],
      ['MAIL_ST', ({ mailState }) => mailState],
      ['MAIL_ZIP', ({ mailZip }) => mailZip],
      ['LAND_VALUE', ({ land }) => land],
      ['BLDG_VALUE', ({ building }) => building],
      ['TOTAL_VALUE', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: truth.town.city,
      zipCode: truth.town.zip,
      jurisdiction: truth.town.municipality,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...occupied(truth),
      totalAssessedValue: truth.total,
    }),
  }),
  manner({
    title: 'a township and no post office, dollars and commas in values',
    state: 'MI',
    county: 'Monroe',
    towns: MICHIGAN,
    columns: [
      ['pnum', serial],
      ['ownername1', ownerOf],
      ['propstreetcombined', ({ line }) => line],
      ['cvtname', ({ town }) => town.municipality],
      ['propzip', ({ town }) => town.zip],
      ['ownstreetcombined', ({ mailLine }) => mailLine],
      ['owncity', ({ mailCity }) => mailCity],
      ['ownstate', ({ mailState }) => mailState],
      ['ownzip', ({ mailZip }) => mailZip],
      ['assessedvalue', ({ total }) => money(total / 2)],
      ['taxablevalue', ({ land }) => money(land)],
      ['lastsaleprice', ({ price }) => money(price)],
      ['lastsaledate', ({ sold }) => sold],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: null,
      zipCode: truth.town.zip,
      jurisdiction: truth.town.municipality,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...occupied(truth),
      totalAssessedValue: truth.total / 2,
      taxableValue: truth.land,
      transferPrice: truth.price,
      ownershipStartDate: truth.sold.replaceAll('-', ''),
    }),
  }),
  manner({
    title: 'states spelled out in city lines, months by name',
    state: 'OR',
    county: 'Washington',
    towns: OREGON,
    columns: [
      ['TaxLotId', serial],
      ['OwnerName', ownerOf],
      ['SiteAddress', ({ line }) => line],
      ['SiteCity', ({ town }) => town.city],
      ['SiteZip', ({ town }) => town.zip],
      ['OwnerAddress', ({ mailLine }) => mailLine],
      [
        'OwnerCityStateZip',
        ({ mailCity, mailState, mailZip }) => `${mailCity}, ${stateName(mailState)} ${mailZip}`,
      ],
      ['RMV_Land', ({ land }) => land],
      ['RMV_Impr', ({ building }) => building],
      ['RMV_Total', ({ total }) => total],
      [
        'SaleDate',
        ({ sold }) => {
          const [year, month, day] = partsOf(sold)
          return `${MONTHS[Number(month) - 1]} ${day} ${year} 12:00AM`
        },
      ],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: truth.town.city,
      zipCode: truth.town.zip,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...occupied(truth),
      totalMarketValue: truth.total,
      ownershipStartDate: truth.sold.replaceAll('-', ''),
    }),
  }),
  manner({
    title: 'one-line addresses with commas and mixed case',
    state: 'OH',
    county: 'Seneca',
    towns: OHIO,
    separator: ';',
    columns: [
      ['Parcel Number', serial],
      ['Deeded Owner', ({ surname, given }) => `${surname}, ${given}`],
      [
        'Property Address',
        ({ line, unit, town }) =>
          `${capital(line)}${unit === '' ? '' : ` Apt ${unit}`}, ${capital(town.city)}, ` +
          `OH ${town.zip}`,
      ],
      ['Township', ({ town }) => town.municipality],
      [
        'Mailing Address',
        ({ mailLine, mailCity, mailState, mailZip }) =>
          `${mailLine}, ${mailCity}, ${mailState} ${mailZip}`,
      ],
      ['Market Land', ({ land }) => money(land)],
      ['Market Total', ({ total }) => money(total)],
      ['Year Built', ({ built }) => built],
    ],
    expect: (truth) => ({
      address: truth.line,
      unitNumberStripped: truth.unit === '' ? null : truth.unit,
      city: truth.town.city,
      zipCode: truth.town.zip,
      jurisdiction: truth.town.municipality,
      ownerName1: `${truth.surname}, ${truth.given}`,
      ...mail(truth),
      totalMarketValue: truth.total,
      yearBuilt: truth.built,
    }),
  }),
  manner({
    title: 'one-line addresses without a comma before the city',
    state: 'OR',
    county: 'Clackamas',
    towns: OREGON,
    columns: [
      ['ACCOUNT', serial],
      ['OWNER1', ownerOf],
      [
        'SITUS_FULL',
        ({ at, line, town }) =>
          at % 20 === 19 ? 'No Address Found' : `${line} ${town.city} OR ${town.zip}`,
      ],
      ['SITUS_CITY', ({ town }) => town.city],
      ['OWNER_ADDR', ({ mailLine }) => mailLine],
      ['OWNER_CITY', ({ mailCity }) => mailCity],
      ['OWNER_STATE', ({ mailState }) => stateName(mailState)],
      ['OWNER_ZIP', ({ mailZip }) => mailZip],
      ['TOTAL_AV', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.at % 20 === 19 ? null : truth.line,
      city: truth.town.city,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...(truth.at % 20 === 19 ? {} : { zipCode: truth.town.zip, ...occupied(truth) }),
      totalAssessedValue: truth.total,
    }),
  }),
  manner({
    title: 'title lines above the header and totals below',
    state: 'OH',
    county: 'Wyandot',
    towns: OHIO,
    above: ['Wyandot County Auditor', 'Extract of real property, tax year 2024', ''],
    below: [',,,,,,,', `Total,,,,,,,${COUNT}`],
    columns: [
      ['PARCEL_ID', serial],
      ['OWNER_NAME', ownerOf],
      ['PROP_ADDRESS', ({ line }) => line],
      ['PROP_CITY', ({ town }) => town.city],
      ['PROP_ZIP', ({ town }) => town.zip],
      ['MAIL_ADDRESS', ({ mailLine }) => mailLine],
      ['MAIL_CSZ', ({ mailCity, mailState, mailZip }) => `${mailCity} ${mailState} ${mailZip}`],
      ['APPR_TOTAL', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: truth.town.city,
      zipCode: truth.town.zip,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...occupied(truth),
      totalMarketValue: truth.total,
    }),
  }),
  manner({
    title: 'a row per unit of a parcel',
    state: 'OH',
    county: 'Putnam',
    towns: OHIO,
    rowsOf: (truth) =>
      truth.at % 6 === 0
        ? ['1', '2', '3'].map((unit) => ({ ...truth, unit }))
        : [{ ...truth, unit: '' }],
    columns: [
      ['PARID', serial],
      ['OWN1', ownerOf],
      ['ADRNO', ({ number }) => number],
      ['ADRSTR', ({ street }) => street],
      ['ADRSUF', ({ type }) => type],
      ['UNITNO', ({ unit }) => unit],
      ['CITYNAME', ({ town }) => town.city],
      ['ZIP1', ({ town }) => town.zip],
      ['MAIL1', ({ mailLine }) => mailLine],
      ['MAIL_CITY', ({ mailCity }) => mailCity],
      ['MAIL_STATE', ({ mailState }) => mailState],
      ['MAIL_ZIP', ({ mailZip }) => mailZip],
      ['APRLAND', ({ land }) => land],
      ['APRBLDG', ({ building }) => building],
      ['APRTOT', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.line,
      unitNumberStripped: truth.at % 6 === 0 ? '1' : null,
      altAddresses:
        truth.at % 6 === 0 ? ['2', '3'].map((unit) => `${truth.line} UNIT ${unit}`) : [],
      city: truth.town.city,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      totalMarketValue: truth.total,
    }),
  }),
  manner({
    title: 'block and lot in place of an ID',
    state: 'NJ',
    county: 'Morris',
    towns: NEW_JERSEY,
    idOf: ({ block, lot }) => `${block}-${lot}`,
    columns: [
      ['District', ({ town }) => town.municipality],
      ['Block', ({ block }) => block],
      ['Lot', ({ lot }) => lot],
      ['Property Location', ({ line }) => line],
      ['Property Class', () => 2],
      ['Owner', ownerOf],
      ['Street Address', ({ mailLine }) => mailLine],
      [
        'City, State, Zip',
        ({ mailCity, mailState, mailZip }) =>
          `${mailCity}, ${mailState === 'NJ' ? 'N.J.' : mailState} ${mailZip}`,
      ],
      ['Land', ({ land }) => land],
      ['Improvements', ({ building }) => building],
      ['Net Taxable Value', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: null,
      jurisdiction: truth.town.municipality,
      blockNum: String(truth.block),
      lotNum: String(truth.lot),
      ownerName1: ownerOf(truth),
      ...mail(truth),
      taxableValue: truth.total,
    }),
  }),
  manner({
    title: 'uses in words alone, mail in lines that travel',
    state: 'PA',
    county: 'Lehigh',
    towns: PENNSYLVANIA,
    columns: [
      ['PARNUM', serial],
      ['NAME1', ownerOf],
      ['LOCATION', ({ line }) => line],
      ['LOC_CITY', ({ town }) => town.city],
      ['LOC_ZIP', ({ town }) => town.zip],
      ['BORO', ({ town }) => town.municipality],
      ['LAND_USE_DESC', ({ use }) => use.words],
      ['MAILADD1', ({ at, mailLine }) => (at % 10 === 9 ? 'C/O TAX SERVICE DEPT' : mailLine)],
      ['MAILADD2', ({ at, mailLine }) => (at % 10 === 9 ? mailLine : '')],
      ['MAILADD3', ({ mailCity, mailState, mailZip }) => `${mailCity} ${mailState} ${mailZip}`],
      ['ASSESSED_LAND', ({ land }) => land],
      ['ASSESSED_BLDG', ({ building }) => building],
      ['ASSESSED_TOTAL', ({ total }) => total],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: truth.town.city,
      zipCode: truth.town.zip,
      jurisdiction: truth.town.municipality,
      useDescription: truth.use.words,
      residential: truth.use.residential,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      ...occupied(truth),
      totalAssessedValue: truth.total,
    }),
  }),
  manner({
    title: 'numbers behind the street, padded numbers, two-digit years',
    state: 'TN',
    county: 'Giles',
    towns: [town('PULASKI', '38478', 'DISTRICT 7'), town('ARDMORE', '38449', 'DISTRICT 9')],
    columns: [
      ['GISLINK', serial],
      ['OWNER', ownerOf],
      ['PROP_ADDR', ({ number, street, type }) => `${street} ${type} ${number}`],
      ['CITY', ({ town }) => town.city],
      ['DISTRICT', ({ town }) => town.municipality],
      ['MAILADDR', ({ isAway, mailLine }) => (isAway ? mailLine : `0000 ${padded(mailLine)}`)],
      ['MAILCITY', ({ mailCity }) => mailCity],
      ['MAILSTATE', ({ mailState }) => mailState],
      ['MAILZIP', ({ mailZip }) => `${mailZip}-0000`],
      [
        'SALE_YYMM',
        ({ sold }) => {
          const [year, month] = partsOf(sold)
          return `${year.slice(2)}${month}`
        },
      ],
      ['SALE_AMT', ({ price }) => money(price)],
      ['LAND_VAL', ({ land }) => `$ ${land.toLocaleString('en-US')}`],
      ['IMPR_VAL', ({ building }) => `$ ${building.toLocaleString('en-US')}`],
      ['TOTAL_VAL', ({ total }) => `$ ${total.toLocaleString('en-US')}`],
    ],
    expect: (truth) => ({
      address: truth.line,
      city: truth.town.city,
      ownerName1: ownerOf(truth),
      ...mail(truth),
      transferPrice: truth.price,
      ownershipStartDate: `${truth.sold.slice(0, 7).replace('-', '')}01`,
      totalMarketValue: truth.total,
    }),
  }),
]
