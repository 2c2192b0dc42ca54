/** Cuts the words of one person into surname and given names, once the order is known. Rule 3 of matching.md. */
import type { NameEvidence, Person } from '../model/owner.ts'
import { leaning } from './evidence.ts'
import {
  beginsAsSurname,
  hasTrailingParticle,
  PARTICLES,
  surnameAtEnd,
  surnameAtStart,
} from './surname.ts'
import type { Token } from './words.ts'

export function splitStart(
  words: readonly Token[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  if (hasTrailingParticle(words)) {
    const last = words[words.length - 1] as Token
    return person([last, words[0] as Token], words.slice(1, -1), suffix)
  }
  // An initial cannot be the surname; O and D are particles before one.
  const [first = '', second = ''] = words
  const initial = first.length === 1 && words.length > 1
  if (
    initial &&
    (!PARTICLES.has(first) || second.length === 1 || leaning(second, evidence) < -1.9)
  ) {
    return splitEnd(words, suffix, evidence)
  }
  const length = surnameAtStart(words, evidence)
  return person(words.slice(0, length), words.slice(length), suffix)
}

export function splitEnd(
  words: readonly Token[],
  suffix: string | null,
  evidence: NameEvidence | undefined,
): Person {
  const last = words[words.length - 1] as Token
  if (words.length > 1 && last.length === 1 && (words[0] as Token).length > 1) {
    const length = surnameAtStart(words, evidence)
    return person(words.slice(0, length), words.slice(length), suffix)
  }
  if (beginsAsSurname(words)) {
    const length = surnameAtStart(words, evidence)
    return person(words.slice(0, length), words.slice(length), suffix)
  }
  const length = surnameAtEnd(words, evidence)
  return person(words.slice(words.length - length), words.slice(0, words.length - length), suffix)
}

export function person(
  surname: readonly Token[],
  given: readonly Token[],
  suffix: string | null,
): Person {
  return { surname: surname.join(' '), given: [...given], suffix }
}
