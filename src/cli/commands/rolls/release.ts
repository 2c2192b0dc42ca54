/** `platbook release`: writes, signs and verifies releases. Source: docs/releases.md. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { CommandError } from '../../../base/errors.ts'
import { createFile } from '../../../base/safe-files.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { refuseWhilePending } from '../../../privacy/guarded-parcels.ts'
import { buildRelease } from '../../../release/build.ts'
import { makeKeys, publicOf, readPrivateKey } from '../../../release/keys.ts'
import { verifyAddress, verifyFolder } from '../../../release/verify.ts'
import { createTileBuilder } from '../../../render/tiles/builder.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { openParcels } from '../../../store/open.ts'
import { openExport, openHistory } from '../../../store/open-rolls.ts'
import { type CommandIo, command } from '../../command.ts'
import { watchStop } from '../../load-world.ts'
import { needPlace, needRolls } from '../../rolls.ts'
import { printResult } from '../../table.ts'

const KEY_FILE = 'release-key.pem'

export const releaseKeygen = command('release keygen', async (_args, io) => {
  const path = join(io.config.data, KEY_FILE)
  if (existsSync(path)) {
    const known = publicOf(readPrivateKey(readFileSync(path, 'utf8')))
    throw new CommandError(`${path} has the key ${known}; to make another, move the file first`)
  }
  checkFolder(io.config)
  const { pem, publicKey } = makeKeys()
  createFile(path, pem)
  printResult(io, { publicKey, file: path }, publicKey)
})

export const releaseBuild = command('release', async ({ values }, io) => {
  const text = (name: string) => values[name] as string | undefined
  const { state } = needPlace(values, 'release')
  const out = text('out') ?? ''
  if (out === '') throw new CommandError('release needs --out', 2)
  await needRolls(io.config)
  await refuseWhilePending(io.config)
  const manifest = await write({ state, out, since: text('since') }, io)
  noteCopy(io.config.data, 'export', out, io.now())
  if (!io.config.contact?.includes('@')) {
    io.report(
      'data.json has no mail address as contact, which DCAT-US requires: set PLATBOOK_CONTACT',
    )
  }
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
  const size = bytes.toLocaleString('en-US')
  const line = `${manifest.files.length} files, ${size} bytes in ${out}`
  printResult(io, { folder: out, ...manifest }, line)
})

async function write(
  asked: { state: string; out: string; since: string | undefined },
  io: CommandIo,
) {
  const path = join(io.config.data, KEY_FILE)
  if (!existsSync(path)) throw new CommandError('there is no key yet: platbook release keygen')
  const privateKey = readPrivateKey(readFileSync(path, 'utf8'))
  // Else V8 lets what is no longer needed lie until the heap is several times what is in use.
  setFlagsFromString('--heap-growing-percent=20')
  const store = openParcels(io.config)
  const stop = watchStop(io)
  const tiles = createTileBuilder()
  const history = await openHistory(io.config)
  const reader = await openExport(io.config)
  try {
    const { parcels } = store
    const coverage = await parcels.coverage({ states: [asked.state] })
    return await buildRelease({
      ...{ ...asked, privateKey, reader, parcels, tiles, history: await history.list() },
      contact: io.config.contact,
      address: addressOf(asked.out, io.config),
      loaded: coverage.filter(({ state }) => state === asked.state),
      isStopped: stop.isAsked,
      onStep(step) {
        if (stop.isAsked()) throw new CommandError('stopped: the same command continues it')
        if (step !== '') io.report(`writing ${step}`)
      },
    })
  } finally {
    stop.end()
    await Promise.all([tiles.close(), reader.close(), history.close(), store.close()])
  }
}

/** Returns where the service serves a folder of `PLATBOOK_RELEASES`; '' for others. */
function addressOf(out: string, { releases, publicUrl }: CommandIo['config']): string {
  if (releases === null || publicUrl === null) return ''
  const below = relative(releases, out).replaceAll(sep, '/')
  // As the service takes names.
  return /^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(below) ? `${publicUrl}/releases/${below}/` : ''
}

export const releaseVerify = command('release verify', async ({ values, positionals }, io) => {
  const [place = ''] = positionals
  const key = values.key as string | undefined
  const found = await (/^https?:\/\//.test(place)
    ? verifyAddress(place, key)
    : verifyFolder(place, key))
  const { manifest, isPinned, previous } = found
  const { state, dataAt, publicKey, files } = manifest
  const by = isPinned
    ? 'the given key'
    : `${publicKey}, the key in the release; compare it, or give --key`
  const line = `${state} of ${dataAt}: ${files.length} files are as signed by ${by}`
  printResult(io, { state, dataAt, publicKey, isPinned, previous }, line)
})
