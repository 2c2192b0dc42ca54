/** Reads tables of facts from `tables/`, which are data and not code. */
import { readFileSync } from 'node:fs'

const FOLDER = new URL('../../tables/', import.meta.url)

/** Returns the lines of `tables/{name}` without comments (`#`). Throws if it is absent. */
export function readTable(name: string): string[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n')
  return lines.filter((line) => !line.startsWith('#'))
}

/** The same lines, each with the lines after it that begin with blanks. */
export function readFolded(name: string): string[] {
  return readTable(name).join('\n').replaceAll(/\n +/g, ' ').split('\n')
}

/** A table of lines `RATING<TAB>WORD WORD …`, as pairs of word and rating. */
export function readRatings(name: string): [word: string, rating: number][] {
  return readTable(name).flatMap((line) => {
    const [rating = '', words = ''] = line.split('\t')
    return words.split(' ').map((word): [string, number] => [word, Number(rating)])
  })
}

/** A table of lists, each below a line `[NAME]`: the words of each by its name. */
export function readLists(name: string): ReadonlyMap<string, readonly string[]> {
  const lists = readTable(name).join('\n').split(/^\[/m).slice(1)
  return new Map(
    lists.map((list) => {
      const [title = '', words = ''] = list.split(']\n')
      return [title, words.trim().split(/\s+/)]
    }),
  )
}
