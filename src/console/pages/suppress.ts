/** Suppressing a person, a home or a parcel: filled in, named, confirmed, and done as a job. */
import { CommandError, WrongValue } from '../../base/errors.ts'
import type { Suppression } from '../../base/model/suppression.ts'
import { findCounty } from '../../regions/counties.ts'
import { findState } from '../../regions/states.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { type Html, html } from '../show/html.ts'
import { showConfirmation, showForm, showOptions } from '../show/parts.ts'
import { showCounty, showDate, wordsOf } from '../show/words.ts'

const TEXT_MAX = 200

const KINDS = wordsOf('suppressed')

/** What each scope hides, for the form and for the confirmation. */
const [SCOPES, EFFECTS] = [wordsOf('scopes'), wordsOf('effects')]

type Asked = {
  kind: Suppression['kind']
  text: string
  scope: Suppression['scope']
  state: string
  county: string
  basis: string
  until: string
}

export function addSuppressPages(routes: Routes, context: ConsoleContext): void {
  routes.as('admin').post('/privacy/suppress', async ({ form, signedIn }) => {
    const asked = readAsked(form)
    if (form.get('confirmed') !== 'yes') {
      return { title: 'Suppress', body: showAsked(asked, signedIn.csrf) }
    }
    const { kind, text, scope, state, county, basis, until } = asked
    const place = kind === 'property' ? {} : { state, county }
    const options = Object.entries({ scope, basis, until, ...place }).flatMap(([name, value]) =>
      value === '' ? [] : [`--${name}`, value],
    )
    // The name is passed on standard input: the list of processes shows arguments.
    context.jobs.start(signedIn.operator, ['suppress', 'add', `--${kind}`, '-', ...options], {
      ...{ title: `Suppress ${KINDS[kind]?.replace(/,.*/, '')}`, input: text },
    })
    await context.note(signedIn.operator, 'suppress', `${kind}, ${scope}: ${basis}`)
    return { redirect: '/privacy' }
  })
}

function readAsked(form: URLSearchParams): Asked {
  const read = (name: string) => (form.get(name) ?? '').trim().slice(0, TEXT_MAX)
  const [kind, scope] = [read('kind'), read('scope')]
  if (!(kind in KINDS) || !(scope in SCOPES)) throw new CommandError('choose what to hide', 2)
  const [text, basis, until] = [read('text'), read('basis'), read('until')]
  if (text === '' || text === '-') throw new WrongValue('fill in whom or what to hide', 'text')
  if (basis === '') throw new WrongValue('fill in the law or order', 'basis')
  const state = read('state') === '' ? '' : findState(read('state'))?.code
  if (state === undefined) throw new WrongValue(`"${read('state')}" is not a US state`, 'state')
  const county = read('county')
  if (county !== '' && findCounty(state, county) === undefined) {
    const of = state || 'a state that is named'
    throw new WrongValue(`"${county}" is not a county of ${of}`, 'county')
  }
  return {
    ...{ kind: kind as Asked['kind'], scope: scope as Asked['scope'] },
    ...{ text, state, county, basis, until },
  }
}

function showAsked(asked: Asked, csrf: string): Html {
  const { kind, text, scope, state, county, basis, until } = asked
  const fips = findCounty(state, county)?.fips
  const place =
    kind === 'property'
      ? 'its county'
      : fips !== undefined
        ? `${showCounty(fips)}, ${state}`
        : state === ''
          ? 'every state'
          : `all of ${state}`
  const effect = EFFECTS[scope]
  return showConfirmation(csrf, {
    action: '/privacy/suppress',
    content: html`<input type="hidden" name="confirmed" value="yes">${Object.entries(asked).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}
<p>This hides <b>${text}</b> in <b>${place}</b>: in every parcel that it fits, ${effect}, in answers
at once, and in each later import.</p>
<p>Basis: ${basis}. ${
      until === ''
        ? 'It stays until an admin ends it.'
        : `To be looked at again on ${showDate(until) ?? until}; until then and after, it stays.`
    }</p>
<p class="note">The name is not kept, only a fingerprint of it. What it hides comes back after an
admin ends it and the county is imported again.</p>`,
    button: html`<button autofocus>Suppress</button>`,
    back: '/privacy',
  })
}

export function showSuppressForm(csrf: string): Html {
  const scopes = Object.entries(SCOPES)
  const fields = html`<label>Hide <select name="kind">${showOptions(Object.entries(KINDS))}</select>
</label>
<label>Name, street line or ID <input name="text" required maxlength="${TEXT_MAX}"
autocomplete="off" spellcheck="false"></label>
<label class="broad">What is hidden <select name="scope">${showOptions(scopes)}</select></label>
<label>State <input name="state" maxlength="30" placeholder="every state"></label>
<label>County <input name="county" maxlength="60" placeholder="the whole state"></label>
<label>Law or order <input name="basis" required maxlength="${TEXT_MAX}"
placeholder="Order 17 of 3 May"></label>
<label>Look at it again on <input name="until" maxlength="10"
pattern="\\d{4}-\\d\\d-\\d\\d" placeholder="2027-01-31"></label>
<button>Look over …</button>`
  return showForm(csrf, '/privacy/suppress', fields, { look: 'card' })
}
