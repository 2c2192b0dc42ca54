/** `GET /public/usage/`: the account's use in its billing period. Free. */
import { standingOf } from '../accounts/standing.ts'
import { defineOperation } from './operation.ts'

export const usage = defineOperation({
  operationId: 'usage',
  path: '/public/usage/',
  parameters: {},
  answers: 'usage',
  refusals: [503],
  check: () => undefined,
  async find(_query, { accounts, account, now }) {
    const { facts } = account
    const standing = standingOf(facts, await accounts.tokenUse(account.id), now)
    const days = await accounts.usageByDay(account.id, standing.period.start)
    const body = JSON.stringify({
      period: standing.period,
      tokens: {
        included: numberOrNull(facts.includedTokens),
        cap: numberOrNull(facts.overageCap),
        used: standing.used,
        left: standing.remaining,
      },
      days,
    })
    return { body, headers: {} }
  },
})

/** `null` for no limit. */
function numberOrNull(tokens: number | 'unlimited'): number | null {
  return tokens === 'unlimited' ? null : tokens
}
