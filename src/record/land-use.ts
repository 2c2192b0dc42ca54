/**
 * Common land-use codes: one table for all rolls, in thousands by group. A mapping gives the code,
 * or the roll's own description is matched. The table is our own; it follows no external standard.
 */
export const LAND_USES: Readonly<Record<string, string>> = {
  '1000': 'Residential',
  '1001': 'Single-family residence',
  '1002': 'Townhouse',
  '1003': 'Condominium',
  '1004': 'Cooperative',
  '1010': 'Two to four units',
  '1011': 'Duplex',
  '1012': 'Triplex',
  '1013': 'Fourplex',
  '1020': 'Multifamily, five units or more',
  '1030': 'Mobile or manufactured home',
  '1031': 'Mobile home park',
  '1040': 'Seasonal residence',
  '1050': 'Group quarters',
  '2000': 'Commercial',
  '2010': 'Retail',
  '2020': 'Restaurant',
  '2030': 'Office',
  '2040': 'Hotel or motel',
  '2050': 'Automotive',
  '2060': 'Parking',
  '2070': 'Recreation',
  '2080': 'Mixed use',
  '2090': 'Commercial condominium',
  '3000': 'Industrial',
  '3010': 'Manufacturing',
  '3020': 'Warehouse',
  '3030': 'Mineral extraction',
  '4000': 'Agricultural',
  '4010': 'Forest',
  '5000': 'Vacant land',
  '5010': 'Vacant residential land',
  '5020': 'Vacant commercial land',
  '5030': 'Vacant industrial land',
  '6000': 'Exempt',
  '6010': 'Government',
  '6020': 'School',
  '6030': 'Religious',
  '6040': 'Hospital',
  '6050': 'Cemetery',
  '6060': 'Park or open space',
  '7000': 'Utility',
  '7010': 'Transportation',
}

/** The first pattern that matches a description gives its code. More specific ones come first. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      String.raw`\b(VACANT|VAC|UNIMPROVED|UNDEVELOPED|UNBUILT)\b.*\bRES|\bRES\w*\b.*\b(VACANT` +
        String.raw`|VAC|UNIMPROVED)\b`,
    ),
    '5010',
  ],
  [/\b(VACANT|VAC|UNIMPROVED)\b.*\bCOMM|\bCOMM\w*\b.*\b(VACANT|VAC|UNIMPROVED)\b/, '5020'],
  [/\b(VACANT|VAC|UNIMPROVED)\b.*\bIND|\bIND\w*\b.*\b(VACANT|VAC|UNIMPROVED)\b/, '5030'],
  [
    /\b(VACANT|UNIMPROVED|UNDEVELOPED) (LAND|LOT|PARCEL|TRACT)|^(VACANT|VAC|UNIMPROVED|LAND ONLY)$/,
    '5000',
  ],
  [/\b(OFFICE|COMM\w*|RETAIL|INDUSTRIAL|WAREHOUSE) CONDO/, '2090'],
  [/\bMIXED[ -]?USE|\bMIXED RES/, '2080'],
  [/\bCONDO/, '1003'],
  [/\bCO-?OP(ERATIVE)?\b/, '1004'],
  [/\b(MOBILE|MANUFACTURED)[ -]HOME (PARK|COURT)|\bTRAILER (PARK|COURT)/, '1031'],
  [/\b(MOBILE|MANUFACTURED|MANUF|MFD) ?-?(HOME|HOUSING)|\bTRAILER\b|\bMOBILE\b/, '1030'],
  [/\bTOWN ?(HOUSE|HOME)|\bROW ?(HOUSE|HOME)/, '1002'],
  [/\b(TWO|2)[ -](TO|-|&)?[ -]?(FOUR|4)[ -]?(UNIT|FAM)|\b2-4\b/, '1010'],
  [/\b(ONE|1) ?(AND|&|TO|-) ?(TWO|2)[ -]?FAM/, '1000'],
  [/\bDUPLEX|\b(TWO|2)[ -]?(FAM|UNIT)/, '1011'],
  [/\bTRIPLEX|\b(THREE|3)[ -]?(FAM|UNIT)/, '1012'],
  [/\b(FOUR|QUADRU?)-?PLEX|\b(FOUR|4)[ -]?(FAM|UNIT)/, '1013'],
  [/\bSINGLE[ -]?FAM|\bSFR\b|\b(ONE|1)[ -]?(FAM|UNIT)|\bSINGLE DWELLING/, '1001'],
  [/\bAPARTMENT|\bMULTI[ -]?(FAM|UNIT)|\bAPTS?\b/, '1020'],
  [/\bDORM|\bFRATERNITY|\bGROUP (HOME|QUARTERS)|\bNURSING HOME|\bROOMING/, '1050'],
  [/\bSEASONAL|\bCABIN\b|\bCOTTAGE/, '1040'],
  [/\bMOTEL|\bHOTEL/, '2040'],
  [/\bRESTAURANT|\bFAST FOOD|\bBAR\b|\bTAVERN/, '2020'],
  [/\bPARKING/, '2060'],
  [/\bSERVICE STATION|\bGAS STATION|\bAUTO|\bCAR WASH/, '2050'],
  [/\bGOLF|\bTHEAT(ER|RE)|\bBOWLING|\bRECREATION/, '2070'],
  [/\bSHOPPING|\bRETAIL|\bSTORE|\bSUPERMARKET/, '2010'],
  [/\bOFFICE|\bBANK\b/, '2030'],
  [/\bWAREHOUSE|\bSTORAGE\b/, '3020'],
  [/\bMINERAL|\bMINING|\bOIL\b|\bQUARRY|\bGRAVEL/, '3030'],
  [/\bMANUFACTURING|\bFACTORY|\bFOUNDRY/, '3010'],
  [/\bINDUSTRIAL/, '3000'],
  [/\bFOREST|\bTIMBER|\bWOODLAND/, '4010'],
  [/\bAGRI|\bFARM|\bCROP|\bPASTURE|\bORCHARD|\bRANCH LAND/, '4000'],
  [/\bCHURCH|\bRELIGIOUS|\bWORSHIP|\bPARSONAGE/, '6030'],
  [/\bSCHOOL|\bUNIVERSITY|\bCOLLEGE|\bEDUCATION/, '6020'],
  [/\bHOSPITAL/, '6040'],
  [/\bCEMETER/, '6050'],
  [/\bPARKS?\b|\bOPEN SPACE/, '6060'],
  [/\bRAILROAD|\bAIRPORT|\bTRANSPORT|\bRIGHT[ -]OF[ -]WAY/, '7010'],
  [/\bUTILIT/, '7000'],
  [/\bGOVERNMENT|\bMUNICIPAL|\bCOUNTY OWNED|\bSTATE OWNED|\bFEDERAL|\bPUBLIC\b/, '6010'],
  [/\bEXEMPT/, '6000'],
  [/\bCOMMERCIAL/, '2000'],
  [/\bRESIDEN/, '1000'],
]

/**
 * Returns the common code of a use.
 *
 * `given`: the mapping's value, a code of the table or a text; `description`: the roll's own words.
 * Returns null when neither is known.
 *
 * @example readLandUse(null, 'TWO-FAMILY DWELLING') // '1011'
 */
export function readLandUse(given: string | null, description: string | null): string | null {
  if (given !== null && given in LAND_USES) return given
  for (const text of [given, description]) {
    const upper = text?.toUpperCase() ?? ''
    const found = upper === '' ? undefined : PATTERNS.find(([pattern]) => pattern.test(upper))
    if (found !== undefined) return found[1]
  }
  return null
}
