/** Parses the value of a setting. Each function throws a sentence for a wrong value. */
export function readInteger(value: string, low: number, high: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= low && number <= high)) {
    throw new Error(`"${value}" is not a whole number from ${low} to ${high}`)
  }
  return number
}

/** Names with commas between them; `null` for none. */
export function readNames(value: string): readonly string[] | null {
  const names = value.split(',').flatMap((one) => one.trim() || [])
  return names.length === 0 ? null : names
}

/** `[::]` is written as in a URL, and is `::`. */
export function readHost(value: string): string {
  return value.replace(/^\[([0-9a-f:.]+)\]$/i, '$1')
}

/** An origin has no path; one with a path would never match. */
export function readOrigins(value: string): string | null {
  if (value === '') return null
  for (const origin of value.split(',').map((one) => one.trim())) {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    if (origin !== '*' && !isOrigin)
      throw new Error(`"${origin}" is not an origin like https://a.example`)
  }
  return value
}

/** Reads a web address. An error does not show it, because it may contain a token. */
export function readAbsoluteUrl(value: string): string | null {
  if (value === '') return null
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error('an absolute http or https address is wanted')
  }
  return value
}

/** Reads the address of a service, to which paths are added: without a slash at its end. */
export function readBaseUrl(value: string): string | null {
  return readAbsoluteUrl(value)?.replace(/\/+$/, '') ?? null
}

/** Reads a web address and further origins, with blanks between them. */
export function readBasemap(value: string): string | null {
  const [address = '', ...origins] = value.trim().split(/\s+/)
  if (address === '') return null
  readAbsoluteUrl(address)
  for (const origin of origins) readOrigins(origin)
  return [address, ...origins].join(' ')
}

/**
 * Reads a path, or a web address. An error does not show it, because it may contain a token. An
 * address is never taken as a path, which the log would show. A scheme has two letters or more, in
 * any case, and a file of environment variables may keep quotes before it.
 */
export function readAnchor(value: string): string | null {
  const place = value.trim()
  if (place === '') return null
  if (!/^["'<]?[a-z][a-z0-9+.-]+:/i.test(place)) return place
  if (!/^https?:\/\//i.test(place) || !URL.canParse(place)) {
    throw new Error('a path or an http address is wanted')
  }
  // `fetch` refuses such an address, and shows it in its error.
  if (new URL(place).username + new URL(place).password !== '') {
    throw new Error('the address has a user name or a password, which is not supported')
  }
  return place
}

/** A scheme, a password before `@`, or a pair as libpq takes it. */
const ADDRESS =
  /^["'<\s]*(?:[a-z][a-z0-9+.-]+:\/\/|postgres(?:ql)?:)|:[^/@]+@|\b(?:password|host|dbname)\s*=/i

/** Reads a folder. An address would become the name of a new one, with its password. */
export function readFolder(value: string): string {
  if (ADDRESS.test(value)) throw new Error('a folder is wanted, and this looks like an address')
  return value
}

const PASSWORD_HINT =
  'in a user name or password write % as %25, / as %2F, # as %23, ? as %3F, @ as %40, : as %3A ' +
  'and a blank as %20'

/**
 * Reads the address of a database. An error does not show it, because it may contain a password.
 *
 * A socket is named by `postgres://user@/name?host=/run/postgresql`, as libpq does.
 */
export function readDatabase(value: string): string | null {
  if (value === '') return null
  const address = value.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?])/, '$1localhost')
  const fault = faultOf(address)
  if (fault !== undefined) throw new Error(fault)
  return address
}

/** Returns what is wrong with the address of a database. */
function faultOf(address: string): string | undefined {
  const form = 'postgres://user@host:5432/name'
  if (/^\s*[a-z_]+\s*=/i.test(address)) {
    return `write the address as ${form}, with ?host=/run/postgresql for a socket`
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) return `an address like ${form} is wanted`
  const authority = /^\w+:\/\/([^/?#]*)/.exec(address)?.[1] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host.includes(',')) return `the address names several hosts; give the one that writes`
  if (!URL.canParse(address)) return `the address is not of the form ${form}; ${PASSWORD_HINT}`
  const { username, password, pathname, hash } = new URL(address)
  const isWhole = authority.split('@').length <= 2 && !pathname.includes('@') && hash === ''
  if (!isWhole || !isEncoded(username) || !isEncoded(password)) {
    return `the address is not of the form ${form}; ${PASSWORD_HINT}`
  }
  return undefined
}

function isEncoded(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text)
}

/**
 * Checks each address of a list and returns the list unchanged. An error names the address by its
 * position, because it may contain a password.
 */
export function readAddresses(value: string): string | null {
  if (value === '') return null
  splitAddresses(value).forEach((address, at, { length }) => {
    if (faultOf(address) === undefined) return
    const which = length === 1 ? '' : `; number ${at + 1} of these ${length} is not one`
    throw new Error(`addresses like postgres://user@host:5432/name are wanted${which}`)
  })
  return value
}

/** Splits a list at commas; an address may contain commas itself. */
export function splitAddresses(list: string): string[] {
  return list.split(/\s*,\s*(?=[a-z]+:\/\/)/)
}

export function readSecret(value: string): string | null {
  if (value === '') return null
  if (value.length < 32) throw new Error('a secret has at least 32 characters')
  return value
}

/** Reads a mail or web address for a header; empty: none. */
export function readContact(value: string): string | null {
  if (!/^[\x21-\x7e]{0,200}$/.test(value) || /[();]/.test(value)) {
    throw new Error(`"${value}" is not a mail or web address`)
  }
  return value === '' ? null : value
}

export function readPrices(value: string): 'own' | 'contract' {
  if (value === 'own' || value === 'contract') return value
  throw new Error('own or contract')
}

export function readBoolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error(`"${value}" is not true or false`)
  return value === 'true'
}
