/**
 * Builds the sandbox's store of the data folder named by its argument: a process beside the
 * service.
 */
import { buildSandbox } from './build.ts'

await buildSandbox(process.argv[2] as string)
