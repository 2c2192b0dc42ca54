/**
 * Packages that only benches need (`bench/packages/package.json`): what a user would build with
 * instead, and what draws the plots. They are no development dependencies, since they are 80 MB;
 * the first bench that needs them fetches them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const FOLDER = new URL('../packages/', import.meta.url)

/** A `require` that finds them. */
export function requirePackages(): NodeJS.Require {
  if (!existsSync(new URL('node_modules/.package-lock.json', FOLDER))) {
    process.stderr.write('fetching the packages of bench/packages with npm\n')
    execFileSync('npm', ['ci', '--ignore-scripts', '--omit=optional'], {
      cwd: FOLDER.pathname,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return createRequire(new URL('package.json', FOLDER))
}

/** The versions that stand in the list. */
export function versionsOf(...names: string[]): Record<string, string> {
  const require = requirePackages()
  return Object.fromEntries(
    names.map((name) => [name, (require(`${name}/package.json`) as { version: string }).version]),
  )
}
