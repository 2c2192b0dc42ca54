import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/** As fast-check's unit `binary`, which lists all characters first: two seconds of each process. */
export const anyCharacter = fc.nat(LAST - SURROGATES.count).map(
  (number) => String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count),
  (character) => {
    if (typeof character !== 'string' || !/^\P{Surrogate}$/u.test(character))
      throw new Error('no character')
    const code = character.codePointAt(0) as number
    return code < SURROGATES.from ? code : code - SURROGATES.count
  },
)
