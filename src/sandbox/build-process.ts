/** Builds the sandbox's store for the data folder in its argument, as a separate process. */
import { buildSandbox } from './build.ts'

await buildSandbox(process.argv[2] as string)
