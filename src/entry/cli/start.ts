// `countersign start`: the App as a process, as `npm start` runs it in a clone.
import type { CliCommand } from './common/cli-command.ts'

export const start: CliCommand = {
  name: 'start',
  summary: 'run the App, or register it where it has no credentials yet',
  help: `countersign start

Runs the App with the settings of the environment and of the .env of this folder. Without credentials it serves a page that
registers an App of your own, and prints its address. It ends on SIGTERM or Ctrl-C, and loses nothing.

  --help   print this

Exit code 0: it was ended. 1: it could not go on. 2: it was called wrongly.`,
  run: async (args, io) => {
    if (args.length > 0) {
      io.err('countersign start: it takes no arguments. What there is to set stands in the environment or in .env.')
      return 2
    }
    await import('../app/main.js')
    return 0
  },
}
