/**
 * Shows numbers longer than a double holds: as written if the file has digits, else with an
 * exponent, by which `isRounded` of `import/mapping/clean.ts` rejects an ID.
 */

/** From here on a double cannot hold every whole number. */
const EXACT_MAX = 2 ** 53

/** Formats a number that the file keeps as a double: `2.3260500000001101E+17` above 2^53. */
export function showDouble(number: number): string {
  if (!Number.isInteger(number) || Math.abs(number) < EXACT_MAX) return String(number)
  return number.toExponential().replace('e+', 'E+')
}

/** Formats a number as the file writes it: `1.5E3` is 1500, `2.326E+17` stays. */
export function showWritten(text: string): string {
  const [, sign, head, tail = '', power] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]\+?(\d{1,3}))?$/.exec(text) ?? []
  if (sign === undefined || head === undefined) return text
  const digits = tail.replace(/0+$/, '')
  const places = Number(power ?? 0)
  if (digits.length > places) {
    return places === 0 ? `${sign}${head}.${digits}` : String(Number(text))
  }
  const whole = `${head}${digits}`.replace(/^0+(?=\d)/, '') + '0'.repeat(places - digits.length)
  const isComplete = power === undefined || places - tail.length <= 0 || whole.length < 16
  return isComplete ? sign + whole : Number(text).toExponential().replace('e+', 'E+')
}

/** A whole number of 16 digits or more, or an exponent: all others survive `JSON.parse`. */
const LONG = /(?<![\d.])\d{16}|\d[eE]\+?\d/

/** Parses JSON. Numbers that a double would round become texts, with their digits as written. */
export function parseJson(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text)
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
}

function keepDigits(_: string, value: unknown, { source }: { source: string }): unknown {
  if (typeof value !== 'number' || Math.abs(value) < EXACT_MAX) return value
  return showWritten(source)
}
