/**
 * Packages that only benches need (`bench/packages/package.json`): alternatives that a user might
 * build with, and the plot library. They are not development dependencies, because they take 80 MB;
 * the first bench that needs them installs them.
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

/** The versions in the list. */
export function versionsOf(...names: string[]): Record<string, string> {
  const require = requirePackages()
  return Object.fromEntries(
    names.map((name) => [name, (require(`${name}/package.json`) as { version: string }).version]),
  )
}
