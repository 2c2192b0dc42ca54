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

/** Returns the words of a text, which blanks part. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** How lists of phrases are parted: `DBA | D B A`. */
export const PHRASES = /\s*[|\n]\s*/
/** How lists with an entry a line are parted. */
export const LINES = /\n/

/** Opens a table of lists, each below a line `[NAME]`. Throws for a list that is not there. */
export function openLists(name: string): (title: string, parting?: RegExp) => readonly string[] {
  const lists = new Map(
    readTable(name)
      .join('\n')
      .split(/^\[/m)
      .slice(1)
      .map((list) => list.split(/\]\n([\s\S]*)/) as [string, string]),
  )
  return (title, parting = /\s+/) => {
    const list = lists.get(title)
    if (list === undefined) throw new Error(`tables/${name} has no list [${title}]`)
    return list.trim().split(parting)
  }
}

/** Opens a table of lists of lines `NAME<TAB>WORDS`, each as its words by name. */
export function openWords(name: string): (title: string) => Record<string, string> {
  const listOf = openLists(name)
  return (title) => Object.fromEntries(listOf(title, LINES).map((line) => line.split('\t')))
}

/** Forms of a word by form, of lines with the word before its forms. */
export function readForms(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [word = '', ...forms] = line.split(' ')
      return forms.map((form): [string, string] => [form, word])
    }),
  )
}
