/** The secrets of watches, which are stored sealed under the server secret. */
import { openSealed, seal } from '../accounts/sealed.ts'
import { refuse } from '../base/errors.ts'
import { makeWebhookSecret } from '../notify/webhook-signature.ts'
import type { WatchWorld } from './world.ts'

const PURPOSE = 'watch secret'

export function makeSecret({ secrets }: Pick<WatchWorld, 'secrets'>): string {
  return seal(secrets(), PURPOSE, makeWebhookSecret())
}

/** Returns a secret in clear. Throws *unavailable* when its server secret is gone. */
export function openSecret({ secrets }: Pick<WatchWorld, 'secrets'>, sealed: string): string {
  const opened = openSealed<string>(secrets(), PURPOSE, sealed)
  if (opened !== undefined) return opened.value
  throw refuse.unavailable('The secret of this watch cannot be read; rotate it')
}

/** Seals a secret with the newest server secret; `undefined` when it is, or cannot be read. */
export function sealAgain(
  { secrets }: Pick<WatchWorld, 'secrets'>,
  sealed: string,
): string | undefined {
  const opened = openSealed<string>(secrets(), PURPOSE, sealed)
  return opened?.isOld ? seal(secrets(), PURPOSE, opened.value) : undefined
}
