/**
 * The 50 states, DC and the territories, by their two letters. Source: Census, ANSI state codes.
 */
import type { State } from '../base/model/place.ts'

const TABLE = `
  01 AL Alabama
  02 AK Alaska
  04 AZ Arizona
  05 AR Arkansas
  06 CA California
  08 CO Colorado
  09 CT Connecticut
  10 DE Delaware
  11 DC District of Columbia
  12 FL Florida
  13 GA Georgia
  15 HI Hawaii
  16 ID Idaho
  17 IL Illinois
  18 IN Indiana
  19 IA Iowa
  20 KS Kansas
  21 KY Kentucky
  22 LA Louisiana
  23 ME Maine
  24 MD Maryland
  25 MA Massachusetts
  26 MI Michigan
  27 MN Minnesota
  28 MS Mississippi
  29 MO Missouri
  30 MT Montana
  31 NE Nebraska
  32 NV Nevada
  33 NH New Hampshire
  34 NJ New Jersey
  35 NM New Mexico
  36 NY New York
  37 NC North Carolina
  38 ND North Dakota
  39 OH Ohio
  40 OK Oklahoma
  41 OR Oregon
  42 PA Pennsylvania
  44 RI Rhode Island
  45 SC South Carolina
  46 SD South Dakota
  47 TN Tennessee
  48 TX Texas
  49 UT Utah
  50 VT Vermont
  51 VA Virginia
  53 WA Washington
  54 WV West Virginia
  55 WI Wisconsin
  56 WY Wyoming
  60 AS American Samoa
  66 GU Guam
  69 MP Northern Mariana Islands
  72 PR Puerto Rico
  78 VI U.S. Virgin Islands
`

/** All of them, by FIPS code. */
export const STATES: readonly State[] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim())
  .map((line) => ({ fips: Number(line.slice(0, 2)), code: line.slice(3, 5), name: line.slice(6) }))

const BY_CODE = new Map(STATES.map((state) => [state.code, state]))

/** Returns a state by its two letters in any case, ignoring outer blanks; names are not read. */
export function findState(text: string): State | undefined {
  return BY_CODE.get(text) ?? BY_CODE.get(text.trim().toUpperCase())
}

/**
 * Returns the state of a two-digit FIPS code, with or without its leading zero, as in rolls;
 * requests name states by letters.
 */
export function findStateByFips(text: string): State | undefined {
  return /^\d{1,2}$/.test(text) ? STATES.find(({ fips }) => fips === Number(text)) : undefined
}

/**
 * Reads a state as written in rolls and mailing lists: `NJ`, `N.J.`, `N. J.`, `New Jersey`,
 * `Calif.`; in any case. `undefined` for none.
 *
 * Requests name states by two letters only: see `findState`.
 */
export function readState(text: string): State | undefined {
  return findState(text) ?? BY_WRITTEN.get(foldState(text))
}

/**
 * The state at the end of a text, and where its words begin. `spelled`: by more than two letters.
 */
export type StateEnd = { code: string; start: number; spelled: boolean }

/**
 * Finds a state at the end of an upper-case text with more before it; `undefined` for none.
 *
 * `PORT WASHINGTON` and `WEST NEW YORK` are places: a spelled-out state does not count after a word
 * that cannot end a name.
 */
export function findStateEnd(text: string): StateEnd | undefined {
  const west = WEST_VIRGINIA.exec(text)
  if (west !== null) return { code: 'WV', start: west.index, spelled: true }
  const short = SHORT_END.exec(text)
  if (short !== null) {
    const state = BY_CODE.get(foldState(short[0]))
    if (state !== undefined) return { code: state.code, start: short.index, spelled: false }
  }
  for (const length of [3, 2, 1]) {
    const found = SPELLED_ENDS[length]?.exec(text)
    const state = found && BY_WRITTEN.get(foldState(found[1] ?? ''))
    if (!found || !state) continue
    const before = text.slice(0, found.index).replace(/[\s,.]+$/, '')
    // `KEY WEST, FLORIDA`: the comma ends the name.
    const isParted = found[0].includes(',')
    if (before === '' || (UNFINISHED.test(before) && !isParted)) return undefined
    return { code: state.code, start: found.index, spelled: true }
  }
  return undefined
}

const SHORT_END = /(?:^|[,\s]+)[A-Z](?:\.?\s?)[A-Z]\.?$/
/** `CHARLESTON, W. VA.` */
const WEST_VIRGINIA = /(?:^|[,\s]+)W\.?\s?VA\.?$/
const SPELLED_ENDS: Record<number, RegExp> = {
  3: /(?:^|[,\s]+)([A-Z.]+\s+[A-Z.]+\s+[A-Z.]+)$/,
  2: /(?:^|[,\s]+)([A-Z.]+\s+[A-Z.]+)$/,
  1: /(?:^|[,\s]+)([A-Z.]+)$/,
}
const UNFINISHED = new RegExp(
  String.raw`(?:^|[\s.])(?:PORT|PT|FORT|FT|MOUNT|MT|LAKE|NORTH|SOUTH|EAST|WEST|[NSEW]|NEW|OLD` +
    '|UPPER|LOWER|POINT|SAN|SANTA|SAINT|ST|CITY OF|TOWN OF|OF)$',
)

/**
 * Abbreviations older than the two letters. Source: Government Printing Office Style Manual,
 * traditional abbreviations.
 */
const TRADITIONAL = `
  AL ALA
  AZ ARIZ
  AR ARK
  CA CALIF CAL
  CO COLO
  CT CONN
  DE DEL
  FL FLA
  IL ILL
  IN IND
  KS KANS KAN
  KY KEN
  MA MASS
  MI MICH
  MN MINN
  MS MISS
  MT MONT
  NE NEBR NEB
  NV NEV
  NH NHAMP NEWHAMP
  NM NMEX NEWMEX
  NC NCAR NCAROLINA NOCAROLINA
  ND NDAK NODAK NDAKOTA NODAKOTA
  OK OKLA
  OR OREG ORE
  PA PENNA PENN
  SC SCAR SCAROLINA SOCAROLINA
  SD SDAK SODAK SDAKOTA SODAKOTA
  TN TENN
  TX TEX
  WA WASH
  WV WVA WESTVA
  WI WIS WISC
  WY WYO
`

function foldState(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, '')
}

const BY_WRITTEN = new Map([
  ...STATES.map((state) => [state.code, state] as const),
  ...STATES.map((state) => [foldState(state.name), state] as const),
  ...TRADITIONAL.trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...forms] = line.trim().split(' ')
      const state = BY_CODE.get(code)
      return state === undefined ? [] : forms.map((form) => [form, state] as const)
    }),
])

/**
 * First three digits of ZIP codes by state, each range with its ends. Source: USPS, labeling list
 * L002.
 */
const ZIP_RANGES = `
  NY 005 005, PR 006 007, VI 008 008, PR 009 009, MA 010 027, RI 028 029, NH 030 038, ME 039 049,
  VT 050 054, MA 055 055, VT 056 059, CT 060 069, NJ 070 089, NY 100 149, PA 150 196, DE 197 199,
  DC 200 200, VA 201 201, DC 202 205, MD 206 219, VA 220 246, WV 247 268, NC 270 289, SC 290 299,
  GA 300 319, FL 320 349, AL 350 369, TN 370 385, MS 386 397, GA 398 399, KY 400 427, OH 430 459,
  IN 460 479, MI 480 499, IA 500 528, WI 530 549, MN 550 567, DC 569 569, SD 570 577, ND 580 588,
  MT 590 599, IL 600 629, MO 630 658, KS 660 679, NE 680 693, LA 700 714, AR 716 729, OK 730 732,
  TX 733 733, OK 734 749, TX 750 799, CO 800 816, WY 820 831, ID 832 838, UT 840 847, AZ 850 865,
  NM 870 884, TX 885 885, NV 889 898, CA 900 961, HI 967 968, GU 969 969, OR 970 979, WA 980 994,
  AK 995 999
`
const ZIP_STATES = new Map<number, string>()
for (const range of ZIP_RANGES.split(',')) {
  const [code = '', from, to] = range.trim().split(' ')
  for (let zip = Number(from); zip <= Number(to); zip++) ZIP_STATES.set(zip, code)
}

/**
 * Returns the two letters of a five-digit ZIP's state; a few ZIPs on a border belong to the
 * neighbour. `undefined` for none.
 */
export function stateOfZip(zip: string): string | undefined {
  return ZIP_STATES.get(Number(zip.slice(0, 3)))
}
