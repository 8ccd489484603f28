// What a subcommand of `countersign` is. Exit codes are the same for all: 0 holds, 1 does not hold, 2 could not run; what
// `wait` waited for may have more ends than that.

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5
export type Io = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `out` is a terminal that shows colour. */
  readonly color: boolean
}
export type CliCommand = {
  readonly name: string
  readonly summary: string
  readonly help: string
  readonly run: (args: readonly string[], io: Io) => Promise<ExitCode>
}
