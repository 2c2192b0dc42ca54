/** A publisher of releases, and another data folder that follows them. */
import { hash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import * as releaseCommands from '../../src/cli/commands/rolls/release.ts'
import { syncCommand } from '../../src/cli/commands/rolls/sync.ts'
import { readPrivateKey, signBytes } from '../../src/release/keys.ts'
import { describeFile, type Manifest, writeManifest } from '../../src/release/manifest.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row } from '../contract/rolls.ts'
import { NOON, startService } from '../service.ts'

export async function startPublisher() {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-releases-'))
  const follower = mkdtempSync(join(tmpdir(), 'platbook-follower-'))
  const service = await startService('', { releases: folder })
  const { data } = service.config
  const command = async (name: string, ...words: string[]) => {
    const found = Object.values(releaseCommands).find((one) => one.name === name)
    if (found === undefined) throw new Error(name)
    return (await runCommand(found, words, { data })).out.trim()
  }
  const key = await command('release keygen')
  let last: string | undefined
  let minutes = 0

  /** The hashes of its exports, so that every byte counts, and the lines of the last one. */
  async function read(of: string) {
    const texts: string[] = []
    for (const format of ['parquet', 'csv', 'geojsonl']) {
      const out = join(of, `export.${format}`)
      const words = ['--state', 'WI', '--format', format, '--out', out, '--overwrite']
      await runCommand(exportCommand, words, { data: of })
      texts.push(readFileSync(out, 'latin1'))
    }
    return { lines: texts[2]?.split('\n'), hashes: texts.map((text) => hash('sha256', text)) }
  }

  return {
    key,
    folder,
    follower,
    /** Loads a roll and releases it, after the release before. */
    async publish(name: string, rows: Row[], hasChain = true) {
      minutes += 1
      const at = NOON + minutes * 60_000
      await service.importRoll(makeRoll(rows), { geometry: true, force: true, at })
      const since = last !== undefined && hasChain ? ['--since', join(folder, last)] : []
      await command('release', '--state', 'WI', '--out', join(folder, name), ...since)
      last = name
    },
    async sync(name: string, ...words: string[]) {
      const address = `${service.address}/releases/${name}`
      const options = [address, '--allow-private', '--json', ...words]
      return (await runCommand(syncCommand, options, { data: follower })).json()
    },
    /** Loads a roll into the follower itself. */
    async loadHere(rows: Row[]) {
      const file = join(follower, 'own.csv')
      writeFileSync(file, makeRoll(rows))
      const words = [file, '--mapping', 'platbook', '--geometry', '--force']
      await runCommand(importCommand, words, { data: follower })
    },
    /** Copies a release, and signs it again after a change. */
    async forge(from: string, name: string, change: (out: string, manifest: Manifest) => void) {
      const out = join(folder, name)
      cpSync(join(folder, from), out, { recursive: true })
      const path = join(out, 'manifest.json')
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
      change(out, manifest)
      for (const file of manifest.files) {
        Object.assign(file, await describeFile(join(out, file.name), file.name))
      }
      const bytes = Buffer.from(writeManifest(manifest))
      writeFileSync(path, bytes)
      const pem = readFileSync(join(data, 'release-key.pem'), 'utf8')
      writeFileSync(join(out, 'manifest.sig'), signBytes(bytes, readPrivateKey(pem)))
    },
    /** Loads parcels of Nebraska, and releases them. */
    async publishOther(name: string, rows: Row[]) {
      const moved = rows.map((row) => ({ ...row, state: 'NE', county: 'Lancaster' }))
      await service.importRoll(makeRoll(moved), { geometry: true, force: true })
      await command('release', '--state', 'NE', '--out', join(folder, name))
    },
    published: () => read(data),
    followed: () => read(follower),
    async close() {
      await service.close()
      for (const path of [folder, follower]) rmSync(path, { recursive: true })
    },
  }
}
