/**
 * The contract's use codes: one national scheme of four digits, the same for all rolls. The table
 * is `tables/use-codes.tsv`, see docs/use-codes.md. A mapping gives the code, or the words of the
 * roll's use do.
 */
import { readTable } from '../base/tables.ts'

/** One code. `condo`: the codes of condominium units. */
type UseCode = { description: string; group: string; dwelling: boolean; condo: boolean }

const CONDOS: ReadonlySet<string> = new Set(['1004', '1114', '2052', '3008', '5010'])

/** Every code in ascending order. */
export const USE_CODES: ReadonlyMap<string, UseCode> = new Map(
  readTable('use-codes.tsv')
    .slice(1)
    .map((line) => {
      const [code = '', description = '', group = '', dwelling] = line.split('\t')
      return [code, { description, group, dwelling: dwelling === '1', condo: CONDOS.has(code) }]
    }),
)

const HOUSES = ['1000', '1001', '1002', '1003', '1007', '1008', '1009', '1012', '1013', '1015']

/** Kinds of property that callers ask for, by their codes. */
export const PROPERTY_TYPES = {
  any: [],
  SFR: HOUSES,
  house: HOUSES,
  CONDO: ['1004', '1114'],
  APARTMENT: listUseCodes('11*').filter((code) => code !== '1109' && code !== '1114'),
  MOBILE: ['1006', '1109'],
} as const satisfies Record<string, readonly string[]>

/**
 * Returns the codes that a text asks for: a code, several with commas between them, or first digits
 * as `10*`. A part that no code matches adds nothing.
 *
 * @example listUseCodes('1001, 12*') // ['1001']
 */
export function listUseCodes(asked: string): string[] {
  const parts = asked.split(',').map((part) => part.trim())
  return [...USE_CODES.keys()].filter((code) =>
    parts.some((part) => (part.endsWith('*') ? code.startsWith(part.slice(0, -1)) : code === part)),
  )
}

const VACANT = String.raw`\b(?:VACANT|VAC|UNIMPROVED|UNDEVELOPED|UNBUILT)\b`
const vacant = (kind: string) => new RegExp(`${VACANT}.*\\b${kind}|\\b${kind}\\w*\\b.*${VACANT}`)

/** The first pattern that matches a text gives its code. More specific ones come first. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [vacant('(?:MULTI|APART)'), '8007'],
  [vacant('RES'), '8001'],
  [vacant('COMM'), '8002'],
  [vacant('IND'), '8003'],
  [vacant('(?:AGRI|FARM|RURAL)'), '8008'],
  [vacant('(?:GOV|MUNICIPAL|PUBLIC)'), '8006'],
  [vacant('(?:INSTIT|EXEMPT)'), '8005'],
  [
    /\b(VACANT|UNIMPROVED|UNDEVELOPED) (LAND|LOT|PARCEL|TRACT)|^(VACANT|VAC|UNIMPROVED|LAND ONLY)$/,
    '8000',
  ],
  [/\bCONDO\w*\b.*\b(COMMON|MASTER|BASE)\b|\bCOMMON (AREA|ELEMENT)\w*\b.*\bCONDO/, '1010'],
  [/\b(OFFICE|MEDICAL) CONDO|\bCONDO\w*\b.*\bOFFICE/, '3008'],
  [/\b(INDUSTRIAL|WAREHOUSE) CONDO|\bCONDO\w*\b.*\b(INDUSTRIAL|WAREHOUSE)/, '5010'],
  [/\b(COMM\w*|RETAIL|PARKING|STORE) CONDO|\bCONDO\w*\b.*\b(COMMERCIAL|RETAIL|PARKING)/, '2052'],
  [/\bMIXED[ -]?USE|\bMIXED RES/, '2044'],
  [/\bCONDO/, '1004'],
  [/\bCO-?OP(ERATIVE)?\b/, '1005'],
  [/\b(MOBILE|MANUFACTURED)[ -]HOME (PARK|COURT)|\bTRAILER (PARK|COURT)/, '1109'],
  [/\b(MOBILE|MANUFACTURED|MANUF|MFD) ?-?(HOME|HOUSING)|\bTRAILER\b|\bMOBILE\b/, '1006'],
  [/\bMODULAR HOME|\bPREFAB/, '1015'],
  [/\bTOWN ?(HOUSE|HOME)/, '1002'],
  [/\bROW ?(HOUSE|HOME)/, '1007'],
  [/\b(TWO|2)[ -](TO|-|&)?[ -]?(FOUR|4)[ -]?(UNIT|FAM)|\b2-4\b/, '1110'],
  [/\bDUPLEX\W+TRIPLEX/, '1110'],
  [/\b(ONE|1) ?(AND|&|TO|-) ?(TWO|2)[ -]?FAM/, '1000'],
  [/\bDUPLEX|\b(TWO|2)[ -]?(FAM|UNIT)/, '1101'],
  [/\bTRIPLEX|\b(THREE|3)[ -]?(FAM|UNIT)/, '1102'],
  [/\b(FOUR|QUADRU?)-?PLEX|\b(FOUR|4)[ -]?(FAM|UNIT)/, '1103'],
  [/\bSINGLE[ -]?FAM|\bSFR\b|\b(ONE|1)[ -]?(FAM|UNIT)|\bSINGLE DWELLING/, '1001'],
  [/\bMULTI[ -]?(FAM|UNIT)/, '1100'],
  [/\bAPARTMENT|\bAPTS?\b/, '1112'],
  [/\bFRATERNITY|\bSORORITY/, '1111'],
  [/\bDORM|\bGROUP (HOME|QUARTERS)/, '1113'],
  [/\bROOMING|\bBOARDING HOUSE/, '1108'],
  [/\b(NURSING|RETIREMENT|CONVALESCENT) (HOME|CENTER)|\bASSISTED LIVING/, '9106'],
  [/\bSEASONAL|\bCABIN\b|\bCOTTAGE/, '1012'],
  [/\bMOTEL AND HOTEL|\bHOTEL\W+(AND )?MOTEL/, '2040'],
  [/\bMOTEL/, '2033'],
  [/\bHOTEL/, '2034'],
  [/\bFAST FOOD/, '2013'],
  [/\bRESTAURANT/, '2012'],
  [/\bBAR\b|\bTAVERN/, '2016'],
  [/\bPARKING (GARAGE|STRUCTURE|RAMP)/, '2035'],
  [/\bPARKING LOT/, '2036'],
  [/\bPARKING/, '2000'],
  [/\bCONVENIENCE STORE/, '2018'],
  [/\bSERVICE STATION|\bGAS STATION/, '2041'],
  [/\bCAR ?WASH/, '2025'],
  [/\bAUTO\w* (REPAIR|SERVICE|GARAGE)/, '2024'],
  [/\bAUTO\w* (SALES|DEALER)|\bCAR DEALER/, '2023'],
  [/\bAUTO/, '2000'],
  [/\bGOLF COURSE/, '4028'],
  [/\bBOWLING/, '4004'],
  [/\bTHEAT(ER|RE)/, '4020'],
  [/\bCOUNTRY CLUB/, '4009'],
  [/\bGOLF|\bRECREATION/, '4000'],
  [/\bSUPERMARKET|\bGROCERY/, '2006'],
  [/\bDEPARTMENT STORE/, '2004'],
  [/\bSHOPPING/, '2008'],
  [/\bRETAIL|\bSTORE/, '2001'],
  [/\bBANK\b/, '3007'],
  [/\b(MEDICAL|DOCTOR).*\bOFFICE|\bCLINIC\b/, '3006'],
  [/\bOFFICE/, '3000'],
  [/\b(MINI|SELF)[ -]?(STORAGE|WAREHOUSE)/, '2031'],
  [/\bWAREHOUSE|\bSTORAGE\b/, '5003'],
  [/\bMINERAL (RIGHTS|INTEREST)|\bSUB ?SURFACE/, '0015'],
  [/\bQUARRY|\bGRAVEL/, '6014'],
  [/\bMINERAL|\bMINING|\bOIL\b/, '6003'],
  [/\bFACTORY/, '6008'],
  [/\bFOUNDRY/, '6019'],
  [/\bHEAVY (IND|MANUF)/, '6000'],
  [/\bLIGHT MANUF/, '5001'],
  [/\bMANUFACTURING|\bINDUSTRIAL/, '5000'],
  [/\bFOREST|\bTIMBER|\bWOODLAND/, '7009'],
  [/\bORCHARD/, '7005'],
  [/\bVINEYARD/, '7006'],
  [/\bDAIRY/, '7008'],
  [/\bPASTURE|\bMEADOW/, '7012'],
  [/\bCROP ?LAND/, '7004'],
  [/\bAGRI|\bFARM|\bCROP|\bRANCH LAND/, '7000'],
  [/\bCHURCH|\bRELIGIOUS|\bWORSHIP|\bPARSONAGE/, '9101'],
  [/\b(PRIVATE|PAROCHIAL) SCHOOL/, '9102'],
  [/\bPUBLIC SCHOOL|\bSCHOOL (DISTRICT|BOARD)/, '9203'],
  [/\b(STATE|PUBLIC) (UNIVERSITY|COLLEGE)/, '9204'],
  [/\bSCHOOL|\bUNIVERSITY|\bCOLLEGE|\bEDUCATION|\bHOSPITAL/, '9100'],
  [/\bCEMETER/, '9108'],
  [/\bOPEN SPACE/, '8004'],
  [/\bPARKS?\b/, '4027'],
  [/\bRAILROAD|\bRAILWAY/, '6502'],
  [/\bAIRPORT/, '6501'],
  [/\bRIGHT[ -]OF[ -]WAY/, '0021'],
  [/\bTRANSPORT/, '6500'],
  [/\bUTILIT/, '9112'],
  [/\bCOUNTY OWNED/, '9211'],
  [/\bSTATE OWNED/, '9212'],
  [/\bFEDERAL/, '9213'],
  [/\bGOVERNMENT|\bMUNICIPAL|\bPUBLIC\b/, '9200'],
  [/\bEXEMPT/, '9000'],
  [/\bCOMMERCIAL/, '2000'],
  [/\bRESIDEN/, '1000'],
]

/**
 * Returns the code of a use.
 *
 * `given`: the mapping's value, a code of the table or words; `description`: the roll's own words.
 * Returns null when neither is known.
 *
 * @example readUseCode(null, 'TWO-FAMILY DWELLING') // '1101'
 */
export function readUseCode(given: string | null, description: string | null): string | null {
  if (given !== null && USE_CODES.has(given)) return given
  for (const text of [given, description]) {
    const upper = text?.toUpperCase() ?? ''
    const found = upper === '' ? undefined : WORDS.find(([pattern]) => pattern.test(upper))
    if (found !== undefined) return found[1]
  }
  return null
}
