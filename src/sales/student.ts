/** Quantiles of Student's t distribution. */

/** Halvings of the interval in which a quantile is searched: more than a double can show. */
const HALVINGS = 200

/**
 * Returns the value that a t variable exceeds with probability `above`, 0 < `above` < 0.5.
 *
 * `freedom`: degrees of freedom, a whole number of at least 1. Exact to some 1e-12. Source: the
 * finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4, inverted by bisection.
 */
export function studentQuantile(above: number, freedom: number): number {
  let [low, high] = [0, 1]
  while (tailOf(high, freedom) > above) high *= 2
  for (let halving = 0; halving < HALVINGS && low < high; halving += 1) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (tailOf(middle, freedom) > above) low = middle
    else high = middle
  }
  return high
}

/** Probability of a value above `t`. */
function tailOf(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const isOdd = freedom % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let at = isOdd ? 3 : 2; at < freedom - 1; at += 2) {
    term *= ((at - 1) / at) * cosine * cosine
    sum += term
    if (term < sum * 1e-17) break
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
  return (1 - within) / 2
}
