/**
 * The reference of the API, made from `openapi.json` of the same service: each operation with its
 * parameters, a form that sends the request, and the same request as a `curl` line.
 */

/** Characters of an answer that are shown. */
const SHOWN_MAX = 200_000
const SHOWN_FOUND = 40

const find = (/** @type {string} */ id) => /** @type {any} */ (document.querySelector(`#${id}`))
const base = new URL('.', location.href).href.replace(/\/$/, '')

/** Values of a loaded parcel by the names of parameters; empty until asked for. */
/** @type {Record<string, string>} */
let loaded = {}

const api = await (await fetch(`${base}/openapi.json`)).json()
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(/** @type {any} */ (methods)).map(([method, one]) => ({ path, method, ...one })),
)
show()
addSearch()

function show() {
  find('about').replaceChildren(...make('p', api.info.description).childNodes)
  const link = make('a', 'The OpenAPI document')
  link.href = `${base}/openapi.json`
  const fill = make('button', 'Fill in a parcel of this service')
  fill.addEventListener('click', () => fillFromService(fill))
  const row = make('p')
  row.className = 'row'
  row.append(fill, link)
  find('about').after(row)
  for (const { name, description } of api.tags) {
    const own = operations.filter(({ tags }) => tags.includes(name))
    find('menu').append(make('b', name))
    find('operations').append(make('h2', name), make('p', description))
    for (const operation of own) {
      const entry = make('a', operation.summary)
      entry.href = `#${operation.operationId}`
      entry.addEventListener('click', () => open(operation.operationId))
      find('menu').append(entry)
      find('operations').append(showOperation(operation))
    }
  }
  if (location.hash !== '') open(location.hash.slice(1))
}

/** @param {string} id */
function open(id) {
  const place = document.getElementById(id)
  if (!(place instanceof HTMLDetailsElement)) return
  place.open = true
  place.scrollIntoView()
  place.querySelector('summary')?.focus({ preventScroll: true })
}

/** The body is made when it is opened first. @param {any} operation */
function showOperation(operation) {
  const { operationId, summary, path, method } = operation
  const place = make('details')
  place.className = 'operation'
  place.id = operationId
  const head = make('summary')
  head.append(make('b', summary), make('code', `${method.toUpperCase()} ${path}`))
  place.append(head)
  place.addEventListener('toggle', () => {
    if (place.open && place.children.length === 1) place.append(showBody(operation))
  })
  return place
}

/** @param {any} operation */
function showBody(operation) {
  const body = make('div')
  body.className = 'body'
  const { description, parameters = [], requestBody } = operation
  const form = make('form')
  const isUsual = (/** @type {any} */ { name, required }) =>
    required === true || firstValue(operation, name) !== ''
  const usual = parameters.filter(isUsual)
  const others = parameters.filter((/** @type {any} */ one) => !isUsual(one))
  form.append(...usual.map((/** @type {any} */ one) => showParameter(operation, one)))
  if (others.length > 0) {
    const more = make('details')
    more.append(make('summary', `${others.length} more parameters`))
    more.append(...others.map((/** @type {any} */ one) => showParameter(operation, one)))
    form.append(more)
  }
  if (requestBody !== undefined) form.append(showBodyField(operation))
  const run = make('button', 'Run')
  run.className = 'main'
  const line = make('pre')
  line.tabIndex = 0
  line.setAttribute('aria-label', 'The request as a curl line')
  const answer = make('div')
  answer.setAttribute('role', 'status')
  const row = make('p')
  row.className = 'row'
  row.append(run, make('small', costOf(operation)))
  form.append(row)
  const update = () => {
    line.textContent = curlOf(operation, form)
  }
  form.addEventListener('input', update)
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault()
    void send(operation, form, answer)
  })
  update()
  body.append(make('p', description), form, line, answer, showAnswers(operation))
  return body
}

/** Parameters that only the example's own parcel has. */
const OF_EXAMPLE = ['unit', 'firstName', 'nameContains']

/**
 * What a form holds first: of a loaded parcel, else of the example.
 * @param {any} operation @param {string} name
 */
function firstValue(operation, name) {
  const example = operation['x-example-query']?.[name]
  if (example === undefined) return ''
  if (loaded.state !== undefined && OF_EXAMPLE.includes(name)) return ''
  return loaded[name] ?? String(example)
}

/** @param {any} operation @param {any} parameter */
function showParameter(operation, { name, schema, description, required, example }) {
  const line = make('label')
  line.className = 'parameter'
  const title = make('code', name)
  if (required === true) title.append(make('small', ' required'))
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined)
  const input = make(choices === undefined ? 'input' : 'select')
  input.name = name
  if (choices === undefined) {
    input.placeholder = example === undefined ? '' : String(example)
    input.spellcheck = false
    input.autocomplete = 'off'
  } else
    input.append(new Option('', ''), ...choices.map((/** @type {any} */ one) => new Option(one)))
  input.value = firstValue(operation, name)
  line.append(title, input, make('small', description ?? ''))
  return line
}

/** @param {any} operation */
function showBodyField({ operationId }) {
  const label = make('label', 'Body, JSON')
  const area = make('textarea')
  area.name = 'body of the request'
  area.rows = 6
  const row = { state: loaded.state ?? 'WI', address: loaded.address ?? '123 Main St' }
  area.value = operationId === 'batch' ? JSON.stringify([{ id: 1, ...row }], null, 2) : ''
  label.append(area)
  return label
}

/** @param {any} operation */
function costOf({ security }) {
  if (security?.length === 0) return 'Needs no key.'
  return 'The answer says in X-Tokens-Charged what it cost.'
}

/** @param {any} operation @param {HTMLFormElement} form */
function readRequest({ path, method, parameters = [] }, form) {
  const data = new FormData(form)
  const query = new URLSearchParams()
  /** @type {Record<string, string>} */
  const headers = {}
  let filled = path
  for (const { name, in: place } of parameters) {
    const value = String(data.get(name) ?? '').trim()
    if (value === '') continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'header') headers[name] = value
    else query.set(name, value)
  }
  const body = data.get('body of the request')
  if (body !== null) headers['content-type'] = 'application/json'
  const asked = String(query)
  return { url: `${base}${filled}${asked === '' ? '' : `?${asked}`}`, method, headers, body }
}

/** @param {any} operation @param {HTMLFormElement} form */
function curlOf(operation, form) {
  const { url, method, headers, body } = readRequest(operation, form)
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`
  const own = operation.security?.length === 0 ? '' : ' -H "Authorization: $PLATBOOK_API_KEY"'
  const given = Object.entries(headers).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`)
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`
  const sent = body === null ? '' : ` --data ${quote(String(body))}`
  return `curl${own}${given.join('')}${verb}${sent} ${quote(url)}`
}

/** @param {any} operation @param {HTMLFormElement} form @param {HTMLElement} place */
async function send(operation, form, place) {
  const { url, method, headers, body } = readRequest(operation, form)
  const key = find('key').value.trim()
  if (operation.security?.length !== 0 && key === '') {
    place.replaceChildren(say('Fill in your API key at the top first.'))
    find('key').focus()
    return
  }
  const own = key === '' ? headers : { ...headers, authorization: key }
  place.replaceChildren(make('p', 'Sent …'))
  const started = performance.now()
  try {
    const answer = await fetch(url, { method: method.toUpperCase(), headers: own, body })
    const type = answer.headers.get('content-type') ?? ''
    const text = /json|text/.test(type) ? await answer.text() : `${type}: a file`
    const ms = Math.round(performance.now() - started)
    const line = make('p', `${answer.status} after ${ms} ms`)
    if (answer.status >= 400) line.className = 'bad'
    const notes = [...answer.headers].filter(([name]) =>
      /^x-(?!content-type)|^ratelimit/.test(name),
    )
    const shown = make('pre', layOut(text))
    shown.tabIndex = 0
    shown.setAttribute('aria-label', 'The answer')
    const told = notes.map(([name, value]) => `${name}: ${value}`).join('\n')
    place.replaceChildren(line, ...(told === '' ? [] : [make('pre', told)]), shown)
  } catch {
    place.replaceChildren(say('The service does not answer. Is it still running?'))
  }
}

/** @param {string} text */
function layOut(text) {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // It is not JSON.
  }
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}\n… and more` : shown
}

/** @param {string} text */
function say(text) {
  const line = make('p', text)
  line.className = 'bad'
  return line
}

/** @param {any} operation */
function showAnswers({ responses }) {
  const place = make('div')
  const table = make('table')
  for (const [status, { description }] of Object.entries(responses)) {
    const row = table.insertRow()
    row.append(make('th', status))
    row.insertCell().textContent = description
  }
  place.append(make('h3', 'Answers'), table)
  const [content] = Object.values(responses[200]?.content ?? {})
  if (content?.example !== undefined) {
    const details = make('details')
    const text = make('pre', JSON.stringify(content.example, null, 2))
    text.tabIndex = 0
    details.append(make('summary', 'An example of a 200'), text)
    place.append(details)
  }
  return place
}

/**
 * Fills the forms with a parcel that is loaded, so that each example finds something.
 * @param {HTMLButtonElement} button
 */
async function fillFromService(button) {
  const key = find('key').value.trim()
  if (key === '') {
    find('about').textContent = 'Fill in your API key at the top first.'
    find('key').focus()
    return
  }
  const ask = async (/** @type {string} */ path) => {
    const answer = await fetch(base + path, { headers: { authorization: key } })
    const body = await answer.json()
    if (!answer.ok) throw new Error(body.error)
    return body
  }
  try {
    const [county] = (await ask('/public/coverage/')).counties ?? []
    if (county === undefined) throw new Error('Nothing is loaded in this service yet.')
    const place = new URLSearchParams({ state: county.state, county: county.fips, limit: '1' })
    const body = await ask(`/public/property/search/?${place}`)
    const [parcel = {}] = body.properties ?? []
    loaded = readParcel(parcel, county)
    for (const details of document.querySelectorAll('details.operation')) {
      const isOpen = /** @type {HTMLDetailsElement} */ (details).open
      details.lastElementChild?.matches('.body') && details.lastElementChild.remove()
      const own = operations.find(({ operationId }) => operationId === details.id)
      if (isOpen && own !== undefined) details.append(showBody(own))
    }
    button.textContent = `Filled in: ${loaded.address ?? loaded.parcelId}`
  } catch (error) {
    find('about').textContent = error instanceof Error ? error.message : String(error)
  }
}

/** @param {any} parcel flat or nested @param {any} county */
function readParcel(parcel, county) {
  /** @type {Record<string, any>} */
  const flat = {}
  const walk = (/** @type {any} */ value) => {
    for (const [name, one] of Object.entries(value ?? {})) {
      if (one !== null && typeof one === 'object') walk(one)
      else flat[name] ??= one
    }
  }
  walk(parcel)
  const { parcelId, propertyId, latitude, longitude, city, zipCode, address, ownerName1 } = flat
  const known = {
    ...{ state: county.state, county: county.fips, fips: county.fips, parcelId, propertyId },
    ...{ latitude, longitude, city, zipCode, address: address ?? flat.addressLine1 },
    lastName: String(ownerName1 ?? flat.ownerName ?? '').split(/[\s,]/)[0],
    q: String(address ?? '').slice(0, 6),
  }
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  )
}

function addSearch() {
  const box = find('search')
  /** @type {{ title: string, page: string, href: string }[] | undefined} */
  let pages
  box.addEventListener('input', async () => {
    const words = box.value
      .toLowerCase()
      .split(/\s+/)
      .filter((/** @type {string} */ one) => one !== '')
    find('operations').hidden = words.length > 0
    find('found').hidden = words.length === 0
    if (words.length === 0) return
    pages ??= await (await fetch(`${base}/docs/headings.json`)).json().catch(() => [])
    find('found').replaceChildren(...showFound(words, pages ?? []))
  })
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select')
    if (event.key === 'Escape' && target === box) {
      box.value = ''
      box.dispatchEvent(new Event('input'))
    }
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey
    if (event.key !== '/' || isTyping || isShortcut) return
    event.preventDefault()
    box.focus()
  })
}

/** @param {string[]} words @param {{ title: string, page: string, href: string }[]} pages */
function showFound(words, pages) {
  const fits = (/** @type {string} */ text) =>
    words.every((word) => text.toLowerCase().includes(word))
  const own = operations.flatMap(({ operationId, summary, path, description, parameters = [] }) => {
    const names = parameters.map((/** @type {any} */ one) => one.name).join(' ')
    if (!fits(`${summary} ${path} ${names} ${description}`)) return []
    const entry = make('a', summary)
    entry.href = `#${operationId}`
    entry.addEventListener('click', () => {
      find('search').value = ''
      find('search').dispatchEvent(new Event('input'))
      open(operationId)
    })
    return [{ entry, note: path }]
  })
  const others = pages
    .filter(({ title, page }) => fits(`${page} ${title}`))
    .map(({ title, page, href }) => {
      const entry = make('a', title)
      entry.href = base + href
      return { entry, note: page }
    })
  const all = [...own, ...others]
  const list = make('ul')
  for (const { entry, note } of all.slice(0, SHOWN_FOUND)) {
    const item = make('li')
    item.append(entry, ' ', make('small', note))
    list.append(item)
  }
  return [make('p', all.length === 0 ? 'Nothing fits these words.' : `${all.length} found`), list]
}

/** @param {string} name @param {string} [text] @returns {any} */
function make(name, text = '') {
  const made = document.createElement(name)
  // Words between backticks are code.
  for (const [at, part] of (name === 'pre' ? [text] : text.split('`')).entries()) {
    if (at % 2 === 0) made.append(part)
    else made.append(make('code', part))
  }
  return made
}
