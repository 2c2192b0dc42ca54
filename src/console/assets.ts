/** Scripts, styles and outlines of the console, in memory under paths with a hash of them. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

type Asset = {
  type: string
  bytes: Buffer
  /** Compressed on first use. */
  brotli?: Promise<Buffer>
}

const require = createRequire(import.meta.url)
const BROWSER = new URL('browser/', import.meta.url)

/** Files of npm packages that pages use, by the name under which they are served. */
const PACKAGED: Record<string, string> = {
  'maplibre-gl.mjs': 'maplibre-gl/dist/maplibre-gl.mjs',
  'maplibre-gl-shared.mjs': 'maplibre-gl/dist/maplibre-gl-shared.mjs',
  'maplibre-gl-worker.mjs': 'maplibre-gl/dist/maplibre-gl-worker.mjs',
  'maplibre-gl.css': 'maplibre-gl/dist/maplibre-gl.css',
  'uplot.mjs': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'counties.json': 'us-atlas/counties-10m.json',
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** All files are in one folder, `/assets/<hash of all>/`, so that scripts import each other. */
export class Assets {
  readonly folder: string
  readonly #files = new Map<string, Asset>()

  constructor() {
    const own = readdirSync(BROWSER).filter((name) => TYPES[extname(name)] !== undefined)
    const paths: [string, string | URL][] = [
      ...own.map((name): [string, URL] => [name, new URL(name, BROWSER)]),
      ...Object.entries(PACKAGED).map(([name, path]): [string, string] => [name, resolve(path)]),
    ]
    const hashes: string[] = []
    for (const [name, path] of paths.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const bytes = readFileSync(path)
      this.#files.set(name, { type: TYPES[extname(name)] ?? '', bytes })
      hashes.push(name, hash('sha256', bytes, 'hex'))
    }
    this.folder = `/assets/${hash('sha256', hashes.join(' '), 'hex').slice(0, 16)}/`
  }

  /** Returns the path of a file. Throws for an unknown name, which is a defect. */
  path(name: string): string {
    if (!this.#files.has(name)) throw new Error(`no asset ${name}`)
    return `${this.folder}${name}`
  }

  find(path: string): Asset | undefined {
    return path.startsWith(this.folder)
      ? this.#files.get(path.slice(this.folder.length))
      : undefined
  }

  /** The small files first: pages wait for those. */
  async compressAll(): Promise<void> {
    const files = [...this.#files.values()]
    for (const file of files.sort((one, other) => one.bytes.length - other.bytes.length)) {
      await encodeAsset(file, 'br')
    }
  }
}

const compress = promisify(brotliCompress)

/** Returns the bytes, and their encoding if the browser accepts it. */
export async function encodeAsset(
  asset: Asset,
  accepted: string | undefined,
): Promise<{ bytes: Buffer; encoding: string | undefined }> {
  if (!/\bbr\b/.test(accepted ?? '')) return { bytes: asset.bytes, encoding: undefined }
  asset.brotli ??= compress(asset.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return { bytes: await asset.brotli, encoding: 'br' }
}

/** A package's `exports` may hide its files, so its folder is located by its main file. */
function resolve(path: string): string {
  const [name = '', ...rest] = path.split('/')
  for (const base of require.resolve.paths(name) ?? []) {
    const file = `${base}/${name}/${rest.join('/')}`
    try {
      readFileSync(file).length
      return file
    } catch {
      // The file may be in the next folder.
    }
  }
  throw new Error(`${path} is not installed`)
}
