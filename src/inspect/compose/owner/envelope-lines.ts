/** Patterns of the lines of a mailing address. */

/** How the line of a street, a box or a route begins. */
export const STREET_START =
  '\\d|P\\.? ?O\\.? ?(?:BOX|DRAWER)\\b|(?:BOX|DRAWER) \\d|(?:RR|RT|RTE|HC|RURAL ROUTE) ?#?\\d|' +
  '(?:US |STATE |ST |COUNTY |CO )?(?:HWY|HIGHWAY|ROUTE|RD|ROAD) \\d|[NSEW]\\d+'
/** How the line of a unit begins. */
export const UNIT_START = '#|(?:APT|UNIT|STE|SUITE|BLDG|FL|FLOOR|RM|ROOM|LOT|SPC|TRLR|PMB|BOX)\\b'
const STATES =
  'A[AEKLPRSZ]|C[AOT]|D[CE]|F[LM]|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEHINOPST]|N[CDEHJMVY]|O[HKR]|' +
  'P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]'
/** A line without a number that ends in a state, with or without a ZIP code. */
export const PLACE_LINE = `[^|0-9]*[, ](?:${STATES})\\.?,?(?: +\\d{5}(?:-?\\d{4})?)?`
/** Lines above a street that name no second owner: care-of, unit, an office of the first one. */
export const OWN_LINE =
  `%|C\\s?[/\\\\]\\s?O\\b|CARE OF\\b|ATTN\\b|ATTENTION\\b|${UNIT_START}|` +
  '[^|]*\\b(?:DEPT|DEPARTMENT|DIVISION|DIV|OFFICES?|HALL|COURTHOUSE|BUILDING|CENTER|TOWER|PLAZA|' +
  'ACCOUNTING|PROPERTY TAX|TAX|BUREAU|SECTION|REGION|HEADQUARTERS)\\b'
