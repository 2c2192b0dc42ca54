/** Patterns of words that show what a column contains; texts are upper-case. */

/** A street's name: letters, or a number with or without its ending. */
export const STREET_NAME =
  /^(?:[A-Z][A-Z'. -]*|\d{1,3}(?:ST|ND|RD|TH)?(?: .+)?|[A-Z0-9 .'-]*[A-Z]{3}[A-Z0-9 .'-]*)$/

/** Words for dwellings in descriptions of use, matched whole: `RES` does not match `RESTAURANT`. */
export const DWELLING = new RegExp(
  String.raw`\b(?:(?:SINGLE|ONE|TWO|THREE|FOUR|MULTI|MULTIPLE|[1-4])[- ]?FAM(?:ILY|ILIES|L)?` +
    '|(?:SINGLE|ONE|TWO|THREE|FOUR|MULTI)[- ]UNITS?|HOUSEHOLDS?|HOUSE (?:&|AND) LOT' +
    '|SINGLEFAMILY|MULTIFAMILY|FAMILY (?:HOME|HOUSE|RES)|RES|RESI|RESID|RESIDENCES?' +
    '|RESIDENTIAL|DUPLEX(?:ES)?|TRIPLEX(?:ES)?|FOURPLEX|QUADPLEX|QUADRUPLEX' +
    '|TOWN ?(?:HOUSES?|HOMES?)|CONDOS?|CONDOMINIUMS?|APTS?|APARTMENTS?|DWELLINGS?' +
    '|DWELL|DWLG|MOBILE HOMES?|MANUFACTURED HOMES?|MANUF HOME|SFR|SFD|ROW ?HOUSES?' +
    String.raw`|ROW ?HOMES?|HOMESITES?)\b`,
)

/** Two letters with or without dots, or a name. */
export const STATE_FORM = /^(?:[A-Z]\.? ?[A-Z]\.?|[A-Z][A-Z ]{3,19})$/i

/** Words of organizations, and of trusts and couples in legal form. */
export const ORGANIZED = new RegExp(
  String.raw`\b(?:LLC|L L C|INC|CORP|CO|LP|LLP|LTD|TRUST|TR|TRS|TRUSTEES?|BANK|CHURCH|COUNTY` +
    '|CITY OF|TOWN OF|STATE OF|HOA|ASSN|ASSOC|ASSOCIATION|ASSOCIATES|UNIVERSITY|SCHOOL' +
    '|COMPANY|PROPERTIES|INVESTMENTS?|HOLDINGS?|REALTY|ESTATES?|PARTNERS|PARTNERSHIP' +
    '|AUTHORITY|DISTRICT|ETAL|ET AL|ETUX|ET UX|LIVING|REVOCABLE|FAMILY|DEPT|FOUNDATION' +
    String.raw`|CONDO)\b`,
)

/** Words of legal descriptions, next to a number. */
export const LEGAL = new RegExp(
  String.raw`\b(?:LOTS?|LT|BLK|BLOCK|SEC|SUBD?|SUBDIVISION|ADDN?|ADDITION|PLAT|PL|PHASE|PH` +
    '|TRACT|TR|SURVEY|ABS|ABST|PT|PART|BEG|COM(?:MENCING)?|TH|THENCE|OF SEC|ACRES|AC' +
    String.raw`|S\d+ ?[,-]? ?T\d+|T\d+[NS]?|R\d+[EW]?|UNIT|NW|NE|SW|SE|N\d|S\d|\d\/\d)\b.*\d` +
    String.raw`|\d.*\b(?:LOT|BLK|SEC|TWP|RNG|AC)\b`,
)

/** `ResImp` as `Res Imp`. */
export function partWords(text: string): string {
  return text.replace(/([a-z])(?=[A-Z])/g, '$1 ')
}
