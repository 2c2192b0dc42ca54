/** Metrics of the installation, which no worker counts. */
import { statfs } from 'node:fs/promises'
import { PROGRAM_VERSION } from '../base/program-version.ts'

/**
 * Returns Prometheus text: the version, and the free bytes of the disk that holds the data folder.
 * The second is left out where the folder cannot be read.
 */
export async function showMachine(data: string): Promise<string> {
  const disk = await statfs(data).catch(() => undefined)
  const lines = [
    '# HELP platbook_build_info Version of the program; the value is 1.',
    '# TYPE platbook_build_info gauge',
    `platbook_build_info{version="${PROGRAM_VERSION}"} 1`,
  ]
  if (disk !== undefined) {
    lines.push(
      '# HELP platbook_data_free_bytes Free bytes on the disk of the data folder.',
      '# TYPE platbook_data_free_bytes gauge',
      `platbook_data_free_bytes ${disk.bavail * disk.bsize}`,
    )
  }
  return `${lines.join('\n')}\n`
}
