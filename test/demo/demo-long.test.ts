// `npm run demo`, as somebody who has just cloned this sees it: each story that the README promises, and how it ends.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000 })

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

/** The text of each story, by its title. */
function storiesIn(output: string): ReadonlyMap<string, string> {
  const [, ...parts] = output.split(/^\d+\. (?=.*\n─+$)/m)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]))
}

const decisionsIn = (story = ''): string[] =>
  Array.from(story.matchAll(/^ +check run +countersign +(\[.*)$/gm), ([, decision = '']) => decision)

test('each story ends as it should', () => {
  const output = execFileSync(process.execPath, ['test/demo/demo.ts'], { encoding: 'utf8' })
  const stories = storiesIn(output)
  const passed = '[success]  Passed: every required check passed and nothing objects'
  const ends = Array.from(stories, ([title, story]) => [title, decisionsIn(story).at(-1)])
  expect(ends).toEqual([
    ['An agent gets it right', passed],
    ['A check fails, the agent reads why and tries again', passed],
    ['A human takes responsibility, by name', '[failure]  Stopped: rejected by bob: the test still says six'],
    ['The verifier objects, with proof, and the agent repairs it', passed],
    [
      'The verifier is down, and nobody says that it looked',
      '[success]  Passed: ada takes responsibility: I read it myself',
    ],
    ['A screenshot is not as expected, and no model is asked', passed],
  ])
  expect(readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    `tells ${numbers[stories.size - 1]} stories`,
  )

  const pictures = stories.get('A screenshot is not as expected, and no model is asked') ?? ''
  expect(decisionsIn(pictures)[0]).toMatch(
    /^\[failure\] {2}Changes needed: not as expected on a screenshot: checkout: /,
  )
  const expected = 'rgb(0, 0, 255), at most 60 away'
  expect(pictures).toContain(
    `| \`checkout\` | the checkout stays blue | rgb(255, 0, 0), 360.6 away | ${expected} | not as expected |`,
  )
  expect(pictures).toContain(
    `| \`checkout\` | the checkout stays blue | rgb(0, 0, 255), 0 away | ${expected} | as expected |`,
  )
})
