// Every source file fits on a few screens, opens with its job, is named by its subject and leaves nothing for later.
import { describe, expect, test } from 'vitest'
import { linesMax, nameProblems, textProblems } from './code.ts'
import { filesMatching, textOf } from './repository.ts'

const sources = filesMatching(/^(src|action|test)\/.*\.ts$/)

test('the source files are found', () => {
  expect(sources).toContain('src/ports.ts')
})

test('every source file keeps the rules', () => {
  expect(sources.flatMap((path) => nameProblems(path).concat(textProblems(path, textOf(path))))).toEqual([])
})

describe('a name that breaks a rule is reported', () => {
  test.each([
    ['src/core/readPolicy.ts', 'is not kebab-case'],
    ['src/Core/policy.ts', 'is not kebab-case'],
    ['src/core/utils.ts', 'says `utils`'],
    ['test/house/test-helper.ts', 'says `helper`'],
    ['src/service/run.ts', 'says `service`'],
    ['src/engine/task-manager.test.ts', 'says `manager`'],
    ['src/core/index.ts', 'is a barrel'],
  ])('%s %s', (path, problem) => {
    expect(nameProblems(path)).toEqual([expect.stringContaining(problem)])
  })

  test('and one that keeps them is not', () => {
    expect(nameProblems('test/demo/two-streams.contract.test.ts')).toEqual([])
  })
})

describe('a text that breaks a rule is reported', () => {
  const header = '// Its job.\n'
  // Spelled in parts, or this file would break the rules that it tests.
  const leftForLater = ['TO', 'DO'].join('')
  const [silence, alone] = ['ignore', 'only']
  test.each([
    ['too long', 'test/a.ts', 'a()\n'.repeat(linesMax + 1), 'has 301 lines'],
    ['no header', 'src/a.ts', `import { a } from './b.ts'\n`, 'does not open with a `//` comment'],
    ['no header after the shebang', 'src/a.ts', '#!/usr/bin/env node\nrun()\n', 'does not open with a `//` comment'],
    ['an empty header', 'action/a.ts', '//\nrun()\n', 'does not open with a `//` comment'],
    ['a default export', 'src/a.ts', `${header}export default 1\n`, 'has a default export'],
    ['a renamed default export', 'src/a.ts', `${header}export { a as default }\n`, 'has a default export'],
    ['work left for later', 'test/a.ts', `// ${leftForLater} finish\n`, 'test/a.ts:1: it leaves work for later'],
    ['a silenced compiler', 'src/a.ts', `${header}// @ts-${silence}\n`, 'src/a.ts:2: it silences the compiler'],
    ['one test alone', 'test/a.test.ts', `test.${alone}('a', run)\n`, 'test/a.test.ts:1: it runs one test'],
  ])('%s', (_title, path, source, problem) => {
    expect(textProblems(path, source)).toEqual([expect.stringContaining(problem)])
  })

  test('and one that keeps them is not', () => {
    const longest = '#!/usr/bin/env node\n\n// Its job.\n' + 'run()\n'.repeat(linesMax - 3)
    expect(textProblems('src/entry/main.ts', longest)).toEqual([])
  })
})
