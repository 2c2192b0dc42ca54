/** The spellings of a county's name, each as the key that `findCounty` looks up. */
import { foldLetters } from '../base/fold.ts'

/** Upper case, words of A–Z and 0–9 with one blank between them; `&` is `AND`. */
export function countyWords(text: string): string {
  return foldLetters(text)
    .replaceAll('&', ' AND ')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
}

/** Words without their blanks, so that joined and split forms are equal. */
export function countyKey(words: string): string {
  return words.replaceAll(' ', '')
}

/**
 * Returns all keys of a name, its own first: `Ste. Genevieve` gives `STEGENEVIEVE`,
 * `SAINTEGENEVIEVE`, `SAINTGENEVIEVE`, `STGENEVIEVE`. Keys after the first only count if no other
 * county of the state has them.
 */
export function countyForms(name: string): string[] {
  const forms = [countyWords(name)]
  for (const rewrite of REWRITES) {
    for (const form of [...forms]) forms.push(...rewrite(form))
  }
  forms.push(countyWords(name.replace(/'s\b/g, '')), lostLetters(name))
  return [...new Set(forms.map(countyKey))]
}

const POINTS: Record<string, string> = {
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
  NORTHWEST: 'NW',
  SOUTHEAST: 'SE',
}

const REWRITES: ((words: string) => string[])[] = [
  (words) => (/^ST /.test(words) ? [words.replace('ST', 'SAINT')] : []),
  (words) =>
    /^STE /.test(words)
      ? ['SAINTE', 'SAINT', 'ST'].map((saint) => words.replace('STE', saint))
      : [],
  (words) => (/^FORT /.test(words) ? [words.replace('FORT', 'FT')] : []),
  (words) => {
    const [first = '', ...rest] = words.split(' ')
    const point = POINTS[first]
    return point === undefined || rest.length === 0 ? [] : [[point, ...rest].join(' ')]
  },
  // `King Queen`, `St. Mary` for St. Mary's, `Lake of Woods`
  (words) => [words.replace(/ (?:AND|THE)(?= )/g, '')],
  (words) => [words.replace(/ OF THE(?= )/g, ' OF'), words.replace(/ S$/, '')],
]

/** Returns `Doña Ana` as an ASCII program leaves it, without the ñ or with `?` for it. */
function lostLetters(name: string): string {
  return countyWords(name.replace(/[^\x20-\x7e]/g, ''))
}
