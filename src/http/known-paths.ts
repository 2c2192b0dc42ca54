/** The methods of every route, for a 405 when a path is known with another method. */

export class KnownPaths {
  readonly #plain = new Map<string, string[]>()
  readonly #patterns: { pattern: RegExp; path: string }[] = []

  /** Adds a route, such as `/public/tiles/:z/:x/:y`. */
  add(url: string, method: string | string[]): void {
    const path = withSlash(url)
    const known = this.#plain.get(path)
    const methods = [...(known ?? []), ...[method].flat()]
    this.#plain.set(path, [...new Set(methods)])
    if (known !== undefined || !/[:*]/.test(path)) return
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace(/\*.*$/, '.+')}$`)
    this.#patterns.push({ pattern, path })
  }

  /**
   * Returns the methods of a requested path, with or without a trailing slash; empty for an unknown
   * one.
   */
  of(asked: string): readonly string[] {
    const path = withSlash(asked)
    const found = this.#plain.get(path)
    if (found !== undefined) return found
    const match = this.#patterns.find(({ pattern }) => pattern.test(path))
    return match === undefined ? [] : (this.#plain.get(match.path) ?? [])
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
