/**
 * Numbered roads: USPS Publication 28, appendix F, edition of October 2023, and the forms of state
 * highway departments and rolls.
 *
 * One or more lines per phrase: key word, `|`, spelling in Publication 28, `|`, written forms. In a
 * form `h` is any word for highway, `r` for road, `t` for route, and `@` the state's name or
 * letters. Forms that end in `!` need a number in digits; others may also be followed by one or two
 * letters. Forms in brackets are only valid in the named states.
 */
export const PUB28_F = `
US | US HIGHWAY | US!, US h, US t, US r, USH, USHY, UNITED STATES h, UNITED STATES t, FEDERAL t!
US | US HIGHWAY | h US!, t US!, US h t, U S!, U S h, U S t
INTERSTATE | INTERSTATE | I!, IH!, I H!, INTERSTATE!, INTERSTATE h!, INTERSTATE t!, INTERSTATE r!
INTERSTATE | INTERSTATE | h I!
STATE | STATE ROUTE | SR!, STATE t, ST t, SRT!, STRTE!, STRT!, t SR!, h SR!, S R!, SRTE!, SR h!
STATE | STATE ROUTE | SR t!
STATE | STATE ROAD | STATE r, ST r, STRD!
STATE | STATE HIGHWAY | SH!, STATE h, ST h, STH, SHWY, STHWY, STHY!, STATE!, h SH!, STATE h t
STATE | STATE HIGHWAY | STATE TRUNK h, STATE TRUNK LINE!, SH h!
STATE | STATE HIGHWAY | TH![MN], TRUNK h[MN], MNTH![MN], M![MI], K![KS]
STATE | STATE HIGHWAY | @!, @ h, @ t, @ r, @ STATE h, @ STATE t, @ STATE r, @ ST h, @ ST t, @ SR!
STATE | STATE HIGHWAY | STATE @!, h @!, t @!, @ SH!
STATE | STATE HIGHWAY | CARR![PR], CARRETERA![PR], CARRETERA ESTATAL![PR], CARR ESTATAL![PR]
STATE | STATE HIGHWAY | PR![PR]
COUNTY | COUNTY ROAD | CR!, COUNTY r, CO r, CNTY r, CTY r, COUNTY!, CRD!, CORD!, C R!, CNTY!
COUNTY | COUNTY ROAD | COUNTY t, CO t, CNTY t, CTY t, CR r!, COUNTRY r!
COUNTY | COUNTY HIGHWAY | COUNTY h, CO h, CNTY h, CTY h, CH!, CTH, CTHY, CTHWY, CSAH!, CO AID h!
COUNTY | COUNTY HIGHWAY | COUNTY STATE AID h!, COUNTY TRUNK, COUNTY TRUNK h, CTY TRK, CTY TRK h
COUNTY | COUNTY HIGHWAY | CO TRK h, COUNTY TRK h, CNTY TRUNK h, CTY TRUNK h, CHY!, CHWY!, COHWY!
TOWNSHIP | TOWNSHIP ROAD | TOWNSHIP r, TWP r, TWNSHP r, TWSP r, TSR!, TR!, T![PA], TWP!, TOWNSHIP!
TOWNSHIP | TOWNSHIP ROAD | TOWNSHIP h, TWP h, TWPRD!, TOWNSHIP t, TWP t, T R!
TOWN | TOWN HIGHWAY | TH![VT], TOWN h!, TOWN r!
PARISH | PARISH ROAD | PARISH r, PAR r, PARISH h, PARISH!, PR![LA]
FM | FM | FM!, F M!, FM r!, FM h!, h FM!, FARM TO MARKET!, FARM TO MARKET r!, FARM TO MKT!
FM | FM | FARM TO MKT r!, FARM MARKET r!, FARM MARKET!, FARM r![TX], FARM TO MARKET h!
FM | FM | FARM 2 MARKET!
FARM | FARM ROAD | FARM r![MO AR OK KS], FR![MO]
RANCH | RANCH ROAD | RR![TX], RM!, R M!, RANCH r!, RANCH TO MARKET!, RANCH TO MARKET r!
RANCH | RANCH ROAD | RANCH TO MKT r!, RANCH TO MKT!, RM r!, RR r!, RANCH MARKET r!, RM h!
LOOP | LOOP | LOOP!, LP!, STATE LOOP!, STATE h LOOP!, SH LOOP!, SL![TX], LOOP h!, ST LOOP!
SPUR | SPUR | SPUR!, STATE SPUR!, STATE h SPUR!, SH SPUR!, SPUR h!, ST SPUR!
PRIVATE | PRIVATE ROAD | PRIVATE r!, PVT r!, PRIV r!, PR![TX], PVTRD!
FOREST | FOREST ROAD | FOREST r!, FOREST SERVICE r!, FS r!, FSR!, NF r!, NATIONAL FOREST r!, USFS r!
FOREST | FOREST ROAD | FOREST DEVELOPMENT r!, USFS!
EXPRESSWAY | EXPRESSWAY | EXPRESSWAY!, EXPY!, EXPWY!
RR | RR | RR!, RURAL t!
HIGHWAY | HIGHWAY | h, t
`

/** Kinds that a bare `HWY 101` may stand for, each an alternate of it. */
export const BARE_HIGHWAY_KINDS = ['US', 'STATE', 'COUNTY', 'INTERSTATE']

/** Words for highway, road and route that the phrases abbreviate as `h`, `r` and `t`. */
export const ROAD_WORDS: ReadonlyMap<string, string> = new Map([
  ['HWY', 'h'],
  ['HIGHWAY', 'h'],
  ['HIGHWY', 'h'],
  ['HIWAY', 'h'],
  ['HIWY', 'h'],
  ['HWAY', 'h'],
  ['HGWY', 'h'],
  ['HYWY', 'h'],
  ['HY', 'h'],
  ['HWYS', 'h'],
  ['RD', 'r'],
  ['ROAD', 'r'],
  ['RTE', 't'],
  ['ROUTE', 't'],
  ['RT', 't'],
])

/**
 * Words that distinguish two roads of the same number. They are part of the name in any position.
 */
export const ROUTE_QUALIFIERS: ReadonlyMap<string, string> = new Map([
  ['BUS', 'BUSINESS'],
  ['BUSN', 'BUSINESS'],
  ['BSN', 'BUSINESS'],
  ['BUSINESS', 'BUSINESS'],
  ['ALT', 'ALTERNATE'],
  ['ALTN', 'ALTERNATE'],
  ['ALTERNATE', 'ALTERNATE'],
  ['BYP', 'BYPASS'],
  ['BYPASS', 'BYPASS'],
  ['BYPS', 'BYPASS'],
  ['SPUR', 'SPUR'],
  ['TRUCK', 'TRUCK'],
  ['TRK', 'TRUCK'],
  ['SCENIC', 'SCENIC'],
  ['TOLL', 'TOLL'],
  ['CONN', 'CONNECTOR'],
  ['CONNECTOR', 'CONNECTOR'],
])
