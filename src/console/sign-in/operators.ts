/** Making and disabling operators, for the command line and for the console's own page. */
import { CommandError, WrongValue } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { type ConsoleStore, ROLES, type Role } from '../../store/console-store.ts'
import { hashPassphrase, makePassphrase } from './passphrase.ts'

/** Returns a valid operator's name. Throws `CommandError` for any other text. */
export function readOperatorName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name)) return name
  throw new WrongValue(
    `an operator's name has 1 to 64 letters, digits, . _ @ -, not "${name}"`,
    'name',
  )
}

/** Returns a role. Throws `CommandError`, whose text names the option of the command. */
export function readRole(value: unknown): Role {
  const role = ROLES.find((candidate) => candidate === value)
  if (role !== undefined) return role
  if (value === undefined) throw new WrongValue(`--role is needed: ${ROLES.join(', ')}`, 'role')
  const hint = didYouMean(String(value), [...ROLES])
  throw new WrongValue(`--role: "${value}" is none of ${ROLES.join(', ')}${hint}`, 'role')
}

/**
 * Makes an operator, or gives one a new role and passphrase; sessions of that name end. Gives the
 * passphrase, which is kept nowhere. Throws `CommandError` for one that is too short.
 */
export async function putOperator(
  store: ConsoleStore,
  { name, role, now }: { name: string; role: Role; now: number },
  passphrase = makePassphrase(),
): Promise<string> {
  const hashed = await hashPassphrase(passphrase)
  store.putOperator({ name, role, ...hashed, createdAt: now, disabledAt: null })
  return passphrase
}

/** Throws `CommandError` where there is none that could sign in. */
export function disableOperator(store: ConsoleStore, name: string, now: number): void {
  if (store.disableOperator(name, now)) return
  throw new CommandError(`there is no operator ${name}; see platbook operator list`)
}
