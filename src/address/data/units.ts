/**
 * Secondary unit designators: USPS Publication 28, appendix C2, edition of October 2023, and the words rolls write for
 * them.
 *
 * One line per designator: its kind, the standard abbreviation, then all written forms. Designators of one kind mean
 * the same (docs/matching.md, rule 7): `APT 4`, `UNIT 4`, `STE 4`, `# 4` and a bare `4` are one unit.
 */
export const PUB28_C2 = `
* APT APT APARTMENT APARTMENTS APTS APMT APPT APRT APTMT AP
* UNIT UNIT UNITS UNT
* STE STE SUITE SUITES SUIT
* SPC SPC SPACE SP
* LOT LOT LT
* TRLR TRLR TRAILER
* # # NO NUMBER NUM NBR PMB
* CONDO CONDO CONDOMINIUM CONDOMINUM
* TOWNHOUSE TOWNHOUSE TOWNHOME TWNHSE TWNHS
BLDG BLDG BLDG BUILDING BLD BLG BUILD BLDNG
BSMT BSMT BSMT BASEMENT BSMNT BASMT
DEPT DEPT DEPT DEPARTMENT
FL FL FL FLOOR FLR FLOORS
FRNT FRNT FRNT FRONT
HNGR HNGR HNGR HANGAR HANGER HGR
KEY KEY KEY
LBBY LBBY LBBY LOBBY
LOWR LOWR LOWR LOWER LWR DOWNSTAIRS
OFC OFC OFC OFFICE OFFC
PH PH PH PENTHOUSE PENTHSE PNTHSE
PIER PIER PIER
REAR REAR REAR RR
RM RM RM ROOM
SIDE SIDE SIDE
SLIP SLIP SLIP
STOP STOP STOP
TWR TWR TOWER TWR
UPPR UPPR UPPR UPPER UPR UPSTAIRS
WING WING WING
ADJ ADJ ADJ
OFF OFF OFF
`

/** C2: designators that need no identifier after them; `ADJ` and `OFF` are a neighbour's land, in New England rolls. */
export const STANDALONE_UNITS = 'BSMT FRNT LBBY LOWR OFC PH REAR SIDE UPPR ADJ OFF'

/** Words that are street names or suffixes too; they are units only after a whole street or a comma. */
export const UNITS_AFTER_SUFFIX = 'FRNT SIDE OFC KEY PIER STOP SLIP LOWR UPPR LBBY ADJ OFF'
