/** The commands, in the order in which `platbook help` shows them. */
import type { Command } from './command.ts'
import { serveCommand } from './serve.ts'

export const COMMANDS: readonly Command[] = [serveCommand]
