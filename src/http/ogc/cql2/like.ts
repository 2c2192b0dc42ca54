/** Patterns of `LIKE`. */

/** Letters, and `ANY` and `ONE` for `%` and `_`. */
type Pattern = readonly string[]

/** Reports whether a text matches a pattern. Linear in the text for each `%`. */
export function isLike(text: string, signs: Pattern): boolean {
  const letters = [...text]
  let [at, sign, anyAt, anySign] = [0, 0, 0, -1]
  while (at < letters.length) {
    const one = signs[sign]
    if (one === ANY) {
      anySign = sign
      anyAt = at
      sign += 1
    } else if (one === ONE || (one !== undefined && one === letters[at])) {
      at += 1
      sign += 1
    } else if (anySign !== -1) {
      sign = anySign + 1
      anyAt += 1
      at = anyAt
    } else return false
  }
  while (signs[sign] === ANY) sign += 1
  return sign === signs.length
}

const [ANY, ONE] = ['any', 'one']

/** Reads `%` for any characters and `_` for one; `\` takes the next one as it is. */
export function readPattern(pattern: string): Pattern {
  const signs: string[] = []
  const letters = [...pattern]
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] as string
    if (letter === '\\' && at + 1 < letters.length) {
      at += 1
      signs.push(letters[at] as string)
    } else signs.push(letter === '%' ? ANY : letter === '_' ? ONE : letter)
  }
  return signs
}
