// A GitHub whose every exchange is held against GitHub's published description. Closing it throws where one was wrong, and
// `conforms` where one was since it was asked last.
import type { Exchange } from '../github/wire/server.ts'
import { startGitHub, type GitHub, type Options } from '../github/github.ts'
import { violationsOf, type Violation } from './conformance.ts'

type Side = Violation['side']
const shownMax = 40

export type WatchedGitHub = GitHub & { readonly conforms: () => void }

/** Tests of this GitHub itself ask wrong things on purpose, so there only its answers count. */
export async function watchedGitHub(
  options: Options = {},
  sides: readonly Side[] = ['request', 'answer'],
): Promise<WatchedGitHub> {
  const wrong = new Map<string, number>()
  const observe = (exchange: Exchange): void => {
    for (const line of linesOf(exchange, sides)) wrong.set(line, (wrong.get(line) ?? 0) + 1)
  }
  const github = await startGitHub({ observe, ...options })
  const conforms = (): void => {
    const lines = [...wrong].map(([line, times]) => `${line} (${times} times)`)
    wrong.clear()
    if (lines.length > 0) throw new Error(`Not as GitHub describes it:\n${lines.slice(0, shownMax).join('\n')}`)
  }
  return {
    ...github,
    conforms,
    close: async () => {
      await github.close()
      conforms()
    },
  }
}

/** What is wrong with one item of a list is mostly wrong with all of them, and told once. */
const linesOf = (exchange: Exchange, sides: readonly Side[]): readonly string[] =>
  violationsOf(exchange)
    .filter(({ side }) => sides.includes(side))
    .map(({ side, call, why }) => `${side} of ${call}: ${why.replaceAll(/\/\d+(?=[/ ])/g, '/*')}`)
