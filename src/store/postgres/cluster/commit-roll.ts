/** Commits an import, on one server or on the nodes of a cluster. */
import type { Client } from 'pg'
import { CommandError } from '../../../base/errors.ts'

type Notice = { severity?: string | undefined; message?: string | undefined }

/**
 * Commits what an import wrote. If the reply is lost, the commit may have happened; loading the
 * roll again then changes nothing. A node lost between the two phases of a commit shows the old
 * roll until the coordinator finishes. Throws `CommandError` with a sentence in both cases.
 */
export async function commitRoll(client: Client, where: string): Promise<void> {
  const warnings: string[] = []
  const hear = ({ severity, message }: Notice) => {
    if (severity === 'WARNING') warnings.push(String(message))
  }
  client.on('notice', hear)
  try {
    await client.query('COMMIT')
  } catch (error) {
    throw new CommandError(
      `${where} was lost while the roll was committed: whether it is loaded is not ` +
        'known; import it again',
      1,
      error,
    )
  } finally {
    client.off('notice', hear)
  }
  if (warnings.length === 0) return
  throw new CommandError(
    `${where} committed the roll, and a node of it did not (${warnings.join('; ')}): ` +
      'its states show the old roll until it is back and the cluster has told it, within a ' +
      'minute; import the roll again then, which finds out what is missing',
  )
}
