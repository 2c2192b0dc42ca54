/** Expands folders on the command line to the files in them. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { CommandError } from '../base/errors.ts'

/** Most files in one folder, subfolders included. */
const MOST_FILES = 2000
/** Parts of a shapefile and documents: read with the shapefile, or not at all. */
const BESIDE = new RegExp(
  String.raw`\.(?:prj|shx|cpg|sbn|sbx|qix|qpj|atx|idx|fbn|fbx|ain|aih|ixs|mxs|xml|md|pdf|html?` +
    '|docx?|png|jpe?g|log|ini)$',
  'i',
)

/**
 * Replaces folders by their files and those of subfolders, in name order, without hidden ones,
 * parts of shapefiles and documents. Throws `CommandError` for none or more than 2,000.
 */
export function listFiles(paths: string[]): string[] {
  return paths.flatMap((path) => {
    if (!existsSync(path) || !statSync(path).isDirectory()) return [path]
    const found: string[] = []
    collect(path, found, path)
    if (found.length === 0) throw new CommandError(`the folder ${path} holds no file to read`)
    return found
  })
}

function collect(folder: string, found: string[], top: string): void {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== '__MACOSX')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.some(({ name }) => /\.gdbtable$/i.test(name))) {
    throw new CommandError(
      `${folder} is an Esri file geodatabase, which import does not read. Convert it by GDAL: ` +
        `ogr2ogr -f GPKG county.gpkg "${folder}", and import county.gpkg; see ` +
        'docs/file-formats.md for conversion.',
    )
  }
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) collect(path, found, top)
    else if (entry.isFile() && isRead(entry.name, names)) found.push(path)
    if (found.length > MOST_FILES) {
      throw new CommandError(`the folder ${top} holds more than ${MOST_FILES} files`)
    }
  }
}

/** Whether to read a file: a .dbf table of a shapefile is read with its shapes. */
function isRead(name: string, names: Set<string>): boolean {
  if (BESIDE.test(name)) return false
  const stem = basename(name, extname(name)).toLowerCase()
  return extname(name).toLowerCase() !== '.dbf' || !names.has(`${stem}.shp`)
}
