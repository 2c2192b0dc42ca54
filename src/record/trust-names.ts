/** Finds the person after whom a trust is named. */
const TRUST_WORDS = new Set('TRUST REV REVOCABLE LIVING IRREVOCABLE IRREV THE OF'.split(' '))

/**
 * `ZYXWELL QAZMER REV TRUST` is read as an organization; its two words may be a person's name in
 * either order.
 */
export function trustNames(head: string, rest: string): [surname: string, given: string][] {
  if (!rest.includes('TRUST')) return []
  const words = [head, ...rest.split(' ')].filter((word) => !TRUST_WORDS.has(word))
  const [first, second, ...more] = words.filter((word) => word.length > 1)
  if (first === undefined || second === undefined || more.length > 0) return []
  return [
    [first, second],
    [second, first],
  ]
}
