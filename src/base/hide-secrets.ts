/** Hides passwords of addresses in a text that a terminal or a log will show. */
import { resolve } from 'node:path'

/** An address that holds a user and a password. */
const WITH_PASSWORD = /^(\w[\w+.-]*:\/\/)(.*)@/s
/** `TX=postgres://…` */
const PREFIXED = /^[a-z+]+=(?=[a-z]+:\/\/)/i
/** The form of libpq. */
const PASSWORD_PAIR = /\b(password\s*=\s*)('(?:[^'\\]|\\.)*'|\S+)/gi

/**
 * Returns the text without user and password of any address. `given`: values of arguments and
 * variables, whose passwords may contain blanks and `@`; a driver's quotes of them are hidden too.
 */
export function hideSecrets(text: string, given: readonly string[]): string {
  let hidden = text
  for (const value of given) {
    const [, , user = ''] = WITH_PASSWORD.exec(value.replace(PREFIXED, '')) ?? []
    const password = user.slice(user.indexOf(':') + 1)
    for (const part of [user, password, decode(password)]) {
      if (part.length > 2) hidden = hidden.replaceAll(part, '…')
    }
  }
  return hidden.replace(/(\w[\w+.-]*:\/\/)[^\s'"]*@/g, '$1…@').replace(PASSWORD_PAIR, '$1…')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The folder of one upload, below the data folder. */
const UPLOAD = /\bconsole\/[0-9a-f]{16,}\/file\//g

/** Names files of the data folder without its path, and an upload as its sender knows it. */
export function nameInFolder(text: string, folder: string): string {
  return [resolve(folder), folder.replace(/\/$/, '')]
    .filter((path) => path.length > 1)
    .map((path) => new RegExp(`(?<![\\w./-])${RegExp.escape(path)}/`, 'g'))
    .reduce((named, path) => named.replaceAll(path, ''), text)
    .replaceAll(UPLOAD, '')
}
