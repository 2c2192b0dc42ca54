/**
 * Checks that apply to every operation: keys, the gate, how parameters are read, methods and paths.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKey } from '../../src/accounts/api-key.ts'
import type { AccountFacts } from '../../src/base/model/account.ts'
import type { Query, TestService } from '../service.ts'

/** An operation with a query that it answers 200. */
export type Operation = { path: string; query: Exclude<Query, string>; tokenCost: 0 | 1 }

/** 401: docs/decisions/http-interface.md. */
export function promiseKeys(service: TestService, { path, query }: Operation): void {
  const refused: [string, Record<string, string>, RegExp][] = [
    ['a missing key', {}, /^Unauthorized: Missing API key$/],
    ['an empty key', { authorization: '' }, /^Unauthorized: Missing API key$/],
    ['a key of another shape', { authorization: 'secret' }, /^Unauthorized: Invalid API key$/],
    ['a well-formed key that nobody has', { authorization: makeKey() }, /: Invalid API key$/],
  ]
  for (const [what, headers, text] of refused) {
    test(`${what} is 401`, async () => {
      const { status, body } = await service.get(path, query, { key: null, headers })
      assert.equal(status, 401)
      assert.match(body.error, text)
    })
  }

  test('a key with one character changed is 401', async () => {
    const key = await service.keyFor()
    const last = key.endsWith('0') ? '1' : '0'
    for (const wrong of [key.slice(0, -1) + last, key.toLowerCase(), `${key}0`, key.slice(0, -1)]) {
      if (wrong === key) continue
      const { status, body } = await service.get(path, query, { key: wrong })
      assert.equal(status, 401)
      assert.equal(body.error, 'Unauthorized: Invalid API key')
    }
  })

  test('a key sent as Bearer counts as sent alone', async () => {
    const key = await service.keyFor()
    const { status } = await service.get(path, query, { key })
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const answer = await service.get(path, query, { key: `${scheme} ${key}` })
      assert.equal(answer.status, status)
    }
  })

  test('a malformed Bearer header is 401 with a text that says to send the key alone', async () => {
    const key = await service.keyFor()
    for (const header of ['Bearer', `Bearer ${key} x`, `bearer bearer ${key}`]) {
      const { status, body } = await service.get(path, query, { key: header })
      assert.equal(status, 401)
      assert.match(body.error, /alone/)
      assert.doesNotMatch(body.error, /pbk_/)
    }
  })

  test('a key in a parameter or another header does not count', async () => {
    const key = await service.keyFor()
    const headers = { 'x-api-key': key }
    const { status } = await service.get(
      path,
      { ...query, key, apiKey: key },
      { key: null, headers },
    )
    assert.equal(status, 401)
  })

  test('the key is judged before the parameters', async () => {
    assert.equal((await service.get(path, {}, { key: null })).status, 401)
  })
}

/** Account states that block, in the order in which the gate checks them: docs/accounts.md. */
const BLOCKS: [AccountFacts | Partial<AccountFacts>, string][] = [
  [{ suspended: true }, 'access_denied'],
  [{ billing: 'misconfigured' }, 'billing_configuration_error'],
  [{ billing: 'unavailable' }, 'billing_unavailable'],
  [{ subscription: 'none' }, 'subscription_required'],
  [{ subscription: 'canceled' }, 'subscription_ended'],
  [{ subscription: 'incomplete_expired' }, 'subscription_ended'],
  [{ subscription: 'incomplete' }, 'subscription_inactive'],
  [{ subscription: 'paused' }, 'subscription_inactive'],
  [{ subscription: 'unpaid' }, 'subscription_inactive'],
  [{ subscription: 'past_due' }, 'subscription_inactive'],
  [{ paymentMethod: 'none' }, 'payment_method_required'],
  [{ paymentMethod: 'unverified' }, 'card_not_verified'],
  [{ unpaidInvoices: 1 }, 'unpaid_invoices'],
]

/** 403: docs/api.md, docs/accounts.md. */
export function promiseGate(service: TestService, operation: Operation): void {
  const { path, query, tokenCost } = operation
  for (const [facts, code] of BLOCKS) {
    test(`${JSON.stringify(facts)} is 403 ${code}`, async () => {
      const key = await service.keyFor(facts)
      const { status, body } = await service.get(path, query, { key })
      assert.equal(status, 403)
      assert.equal(body.code, code)
      assert.match(body.error, /\w+ \w+/)
      assert.match(body.action, /^[A-Z].+\.$/)
      assert.equal(body.billing_url, `${service.address}/billing`)
      assert.equal(await service.charges(key), 0)
    })
  }

  test('of several conditions the first is told, and curing it leads to the next', async () => {
    const everything: Partial<AccountFacts> = {
      suspended: true,
      billing: 'misconfigured',
      subscription: 'none',
      paymentMethod: 'none',
      unpaidInvoices: 3,
      includedTokens: 0,
    }
    const key = await service.keyFor(everything)
    const cures: [string, Partial<AccountFacts>][] = [
      ['access_denied', { suspended: false }],
      ['billing_configuration_error', { billing: 'unavailable' }],
      ['billing_unavailable', { billing: 'ok' }],
      ['subscription_required', { subscription: 'canceled' }],
      ['subscription_ended', { subscription: 'paused' }],
      ['subscription_inactive', { subscription: 'active' }],
      ['payment_method_required', { paymentMethod: 'unverified' }],
      ['card_not_verified', { paymentMethod: 'verified' }],
      ['unpaid_invoices', { unpaidInvoices: 0 }],
      ...(tokenCost === 1
        ? [['overage_limit_exceeded', { overageCap: 1 }] satisfies [string, Partial<AccountFacts>]]
        : []),
    ]
    for (const [code, cure] of cures) {
      const { status, body } = await service.get(path, query, { key })
      assert.deepEqual([status, body.code], [403, code])
      await service.changeFacts(key, cure)
    }
    assert.equal((await service.get(path, query, { key })).status, 200)
  })

  test('an account with a billing page of its own is sent there', async () => {
    const billingUrl = 'https://pay.example/account?id=7'
    const key = await service.keyFor({ suspended: true, billingUrl })
    assert.equal((await service.get(path, query, { key })).body.billing_url, billingUrl)
  })

  test('trialing passes, and past_due within its grace', async () => {
    const trialing = await service.keyFor({ subscription: 'trialing' })
    assert.equal((await service.get(path, query, { key: trialing })).status, 200)
    const late = await service.keyFor({
      subscription: 'past_due',
      pastDueGraceDays: 2,
      pastDueSince: Date.UTC(2026, 2, 9),
    })
    assert.equal((await service.get(path, query, { key: late })).status, 200)
  })

  test('the account is judged before the parameters', async () => {
    const key = await service.keyFor({ suspended: true })
    assert.equal((await service.get(path, {}, { key })).status, 403)
  })

  if (tokenCost === 1) return
  test('no tokens are needed', async () => {
    const key = await service.keyFor({ includedTokens: 0, overageCap: 0 })
    const { status, headers } = await service.get(path, query, { key })
    assert.equal(status, 200)
    assert.equal(headers.get('x-tokens-charged'), null)
    assert.equal(await service.charges(key), 0)
  })
}

/**
 * 400 of any declared parameter: docs/decisions/http-interface.md. `names`: all of them, with their
 * aliases; `repeatable`: those that may be given several times.
 */
export function promiseParameters(
  service: TestService,
  { path, query }: Operation,
  names: string[],
  repeatable: string[] = [],
): void {
  const others = (name: string) => {
    const { [name]: _, ...rest } = query
    return new URLSearchParams(
      Object.entries(rest).map(([key, value]) => [key, String(value)]),
    ).toString()
  }
  for (const name of names) {
    const repeated: [string, string, RegExp][] = [
      ['given twice', `${name}=1&${name}=1`, /more than once/],
      ['given twice, once empty', `${name}=&${name}=1`, /more than once/],
    ]
    const broken: [string, string, RegExp][] = [
      ...(repeatable.includes(name) ? [] : repeated),
      ['with a NUL', `${name}=a%00b`, /control character/],
      ['with a line feed', `${name}=a%0Ab`, /control character/],
      ['with DEL', `${name}=a%7Fb`, /control character/],
      ['with a broken percent-encoding', `${name}=a%`, /percent-encoded/],
      ['with a broken percent-encoding of two digits', `${name}=%zz`, /percent-encoded/],
      ['with broken UTF-8', `${name}=%C3%28`, /percent-encoded/],
    ]
    for (const [what, pair, text] of broken) {
      test(`${name} ${what} is 400 that names it`, async () => {
        const { status, body } = await service.get(path, `${others(name)}&${pair}`)
        assert.equal(status, 400)
        assert.match(body.error, text)
        assert.match(body.error, new RegExp(`^${name} `))
      })
    }
  }

  test('a name that is itself percent-encoded is the same parameter', async () => {
    const { status, body } = await service.get(path, `${others('state')}&%73tate=ZZ`)
    assert.deepEqual([status, body.error.slice(0, 6)], [400, 'state '])
  })

  test('unknown parameters are ignored whatever they hold', async () => {
    const junk = 'x=%00&x=%zz&x&=&constructor=1&__proto__=2&toString=%ff&%zz=1&&&'
    const { status } = await service.get(path, `${junk}&${new URLSearchParams(toText(query))}`)
    assert.equal(status, 200)
  })

  for (const name of names) {
    test(`another spelling of ${name} is 400 that names it, whatever else is sent`, async () => {
      for (const other of [`${name}[]`, `${name}[0]`, name.toUpperCase(), `_${name}`]) {
        const { status, body } = await service.get(path, { ...query, [other]: '1' })
        assert.equal(status, 400, other)
        assert.match(body.error, / is not a parameter; send /)
        assert.ok(body.error.startsWith(`${other} `), body.error)
      }
    })
  }

  test('a state that is none, in any place of the query, is 400', async () => {
    for (const state of ['XX', 'ZZ', 'W', 'WIS', 'Wisconsin', '55', 'W1', 'W I', '🏠']) {
      const { status, body } = await service.get(path, { ...query, state })
      assert.equal(status, 400, state)
      assert.match(body.error, /^state /)
    }
  })

  test('the state is taken in any case', async () => {
    for (const state of ['wi', 'Wi', ' WI ']) {
      assert.equal((await service.get(path, { ...query, state })).status, 200, state)
    }
  })

  test('DC and the territories are states', async () => {
    for (const state of ['DC', 'PR', 'VI', 'GU', 'AS', 'MP']) {
      const { status, body } = await service.get(path, { ...query, state })
      assert.ok(status === 404 || (status === 200 && body.metadata?.count === 0), state)
    }
  })

  test('an answer to bad parameters costs nothing', async () => {
    const key = await service.keyFor()
    assert.equal((await service.get(path, {}, { key })).status, 400)
    assert.equal(await service.charges(key), 0)
  })
}

/** Methods, paths and headers: docs/decisions/http-interface.md. */
export function promiseHttp(service: TestService, { path, query }: Operation): void {
  const bare = path.slice(0, -1)

  test('the path without its trailing slash answers the same', async () => {
    const [with_, without] = [await service.get(path, query), await service.get(bare, query)]
    assert.deepEqual([without.status, without.text], [200, with_.text])
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    test(`${method} is 405 with Allow: GET, before the key is looked at`, async () => {
      for (const at of [path, bare]) {
        const { status, headers } = await service.get(at, query, { method, key: null })
        assert.equal(status, 405)
        assert.equal(headers.get('allow'), 'GET')
      }
    })
  }

  test('every answer has its own X-Request-Id and is not to be stored', async () => {
    const answers = [
      await service.get(path, query),
      await service.get(path, query),
      await service.get(path, {}),
      await service.get(path, query, { key: null }),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    assert.equal(new Set(ids).size, answers.length)
    assert.ok(ids.every((id) => id !== null && id !== ''))
    assert.ok(answers.every(({ headers }) => headers.get('cache-control') === 'no-store'))
  })
}

function toText(query: Exclude<Query, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
