// The long commands of the workshop say what they can be asked for, and refuse in words what they cannot make sense of.
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { scriptsOf } from './repository.ts'

const scripts = scriptsOf()
const workshop = ['attack', 'bench', 'chaos', 'journeys', 'laws', 'mutate', 'scale', 'soak', 'torture', 'unheard']

type Ended = { readonly code: unknown; readonly out: string; readonly error: string }

const ran = (command: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((ended) => {
    const [, file = ''] = (scripts[command] ?? '').split(' ')
    execFile(process.execPath, [file, ...args], (error, out, told) =>
      ended({ code: error?.code ?? 0, out, error: told }),
    )
  })

test.each(workshop)('npm run %s -- --help', async (command) => {
  const { code, out } = await ran(command, '--help')
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^npm run ${command} -- \\[options\\]\n\n  --`)),
  })
})

test('what is no option is refused, and so is what an option does not take', async () => {
  const told = 'laws: --runs takes a whole number from 1. --help tells what can be asked for.\n'
  expect(await ran('laws', '--runs', 'many')).toEqual({ code: 2, out: '', error: told })
  const unknown = await ran('torture', '--speed', '3')
  expect([unknown.code, unknown.error]).toEqual([2, expect.stringMatching(/^torture: .*--speed/)])
  const pattern = await ran('attack', '--only', '(')
  expect([pattern.code, pattern.error]).toEqual([
    2,
    expect.stringMatching(/^attack: --only takes a regular expression/),
  ])
})
