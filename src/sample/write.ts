/** Formats fields and rows, independently of the machine's locale. */

export function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

/** `1ST`, `12TH`, `73RD`. */
export function ordinal(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14
  return `${number}${teens ? 'TH' : (['TH', 'ST', 'ND', 'RD'][number % 10] ?? 'TH')}`
}

/** Fields of one CSV row (RFC 4180), with its line end. */
export function csvRow(fields: readonly string[]): string {
  let row = ''
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? ''
    if (at > 0) row += ','
    row += NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field
  }
  return `${row}\n`
}

const NEEDS_QUOTES = /[",\r\n]/

/** `YYYYMMDD`, the flat layout's form of a date. */
export function writeDate(year: number, month: number, day: number): string {
  return `${year}${pad(month, 2)}${pad(day, 2)}`
}
