// What the help of a subcommand says that it takes. Its first lines are how it is called, and a line for each option follows.

export type HelpWords = {
  /** As they are written, such as `--json`. */
  readonly options: readonly string[]
  /** What may stand first after the name, where only certain words may. */
  readonly words: readonly string[]
}

export function helpWords(name: string, help: string): HelpWords {
  const usage = (help.split('\n\n')[0] ?? '').split('\n')
  const told = help.split('\n').flatMap((line) => /^ {2}(--[a-z][a-z-]*)/.exec(line)?.[1] ?? [])
  const called = usage.flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? [])
  const first = new RegExp(`^countersign ${name} (?:\\[([a-z|]+)\\]|([a-z|]+))(?= |$)`)
  const words = usage.flatMap((line) => {
    const [, choice = '', word = ''] = first.exec(line) ?? []
    return choice.includes('|') ? choice.split('|') : word.split('|')
  })
  return {
    options: [...new Set([...told, ...called, '--help'])],
    words: [...new Set(words)].filter((one) => one !== ''),
  }
}
