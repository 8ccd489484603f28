// A Dockerfile as its stages and instructions. https://docs.docker.com/reference/dockerfile/

export type Instruction = { readonly word: string; readonly rest: string }
export type Stage = { readonly from: string; readonly instructions: readonly Instruction[] }
export type Dockerfile = {
  readonly stages: readonly Stage[]
  /** What counts of the last stage, where a later instruction of the same word takes the place of an earlier one. */
  readonly last: (word: string) => string
}

export function readDockerfile(text: string): Dockerfile {
  const lines = text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: { from: string; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === '') throw new Error(`This is no instruction: ${line}`)
    if (word === 'FROM') stages.push({ from: rest, instructions: [] })
    else stages.at(-1)?.instructions.push({ word, rest })
  }
  const last = (word: string): string =>
    stages.at(-1)?.instructions.findLast((instruction) => instruction.word === word)?.rest ?? ''
  return { stages, last }
}
