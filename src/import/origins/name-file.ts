/** Names the file of a row for callers, who are not told where the operator keeps it. */
import { basename } from 'node:path'

/**
 * Returns a file's name without folders, followed by the entry of an archive; a web address without
 * query and credentials. `files`: the paths that were given; `shown`: the names shown.
 *
 * @example nameFile('/rolls/x.zip/a.csv', ['/rolls/x.zip'], undefined) // 'x.zip/a.csv'
 */
export function nameFile(
  file: string,
  files: readonly string[],
  shown: readonly string[] | undefined,
): string {
  const at = files.findIndex((one) => file === one || file.startsWith(`${one}/`))
  if (at < 0) return basename(file)
  const given = files[at] as string
  return nameGiven(shown?.[at] ?? given) + file.slice(given.length)
}

function nameGiven(given: string): string {
  if (!/^https?:/i.test(given)) return basename(given)
  try {
    const { protocol, host, pathname } = new URL(given)
    return `${protocol}//${host}${pathname}`
  } catch {
    return basename(given)
  }
}
