// A policy file is read strictly: each mistake has its line, its key and the word that was probably meant.
import { describe, expect, test } from 'vitest'
import { builtInPolicy } from '../../src/core/contract/policy/policy.ts'
import { PROBLEMS_MAX, type PolicyProblem } from '../../src/core/contract/problem.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { costMs } from '../aside/computed.ts'

function problemsOf(text: string, below = {}): readonly PolicyProblem[] {
  const reading = readPolicy(text, 'policy.yml', below)
  return reading.ok ? [] : reading.problems
}

const checks = (...lines: string[]): string =>
  ['verification:', '  checks:', ...lines.map((line) => `    ${line}`)].join('\n')
const calibration = ['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER']
  .map((verdict) => `      - { artifact_summary: a, expected_verdict: ${verdict}, rationale: b }`)
  .join('\n')
const verifier = (line: string): string => `verification:\n  verifier:\n    ${line}`

describe('each mistake has its place, its key and the nearest valid word', () => {
  test.each<[string, string, string, string, string | null, RegExp]>([
    ['unknown top key', 'mode: off\nmodus: off', '2:1', 'modus', 'mode', /not a key here/],
    ['unknown nested key', checks('- comand: npm test'), '3:7', 'verification.checks[0].comand', 'command', /verification\.checks\[0\]/],
    ['unknown check key', checks('- name: a', '  command: b', '  requird: no'), '5:7', 'verification.checks[0].requird', 'required', /not a key/],
    ['key of another place', 'max_attempts: 3', '1:1', 'max_attempts', null, /There is `verification\.retry\.max_attempts`/],
    ['key like no other', 'zzzzzz: 1', '1:1', 'zzzzzz', null, /not a key/],
    ['unknown mode', 'mode: enforc', '1:7', 'mode', 'enforce', /enforce, shadow or off/],
    ['unknown kind', verifier('kind: rubrik'), '3:11', 'verification.verifier.kind', 'rubric', /Did you mean/],
    ['wrong letter case', 'override_policy:\n  min_permission: Maintain', '2:19', 'override_policy.min_permission', 'maintain', /write, maintain or admin/],
    ['weak permission', 'override_policy: { min_permission: read }', '1:36', 'override_policy.min_permission', null, /must be write, maintain or admin/],
    ['another version', 'version: 2', '1:10', 'version', null, /must be 1, but it is 2/],
    ['text for a list', 'protected_paths: src', '1:18', 'protected_paths', null, /must be a list, but it is the text `src`/],
    ['list for a mapping', 'scope: [src]', '1:8', 'scope', null, /must be a mapping of keys to values, but it is a list/],
    ['text for a truth', 'tasks: { reopen_on_regression: "yes" }', '1:32', 'tasks.reopen_on_regression', null, /true or false/],
    ['number in a list of text', 'scope:\n  write:\n    - 3', '3:7', 'scope.write[0]', null, /`write\[0\]` must be text, but it is 3/],
    ['no value', 'verification:\n  checks:', '2:10', 'verification.checks', null, /has no value/],
    ['fraction', 'verification: { retry: { max_attempts: 1.5 } }', '1:40', 'verification.retry.max_attempts', null, /whole number/],
    ['too small', 'verification: { retry: { max_attempts: 0 } }', '1:40', 'verification.retry.max_attempts', null, /at least 1/],
    ['too large', 'verification: { verifier: { min_confidence: 1.1 } }', '1:45', 'verification.verifier.min_confidence', null, /at most 1/],
    ['not a number', 'budget: { usd_per_task: .nan }', '1:25', 'budget.usd_per_task', null, /must be a number/],
    ['unknown tier', verifier('tier: 4'), '3:11', 'verification.verifier.tier', null, /must be 1, 2 or 3, but it is 4/],
    ['enabled neither way', verifier('enabled: atuo'), '3:14', 'verification.verifier.enabled', 'auto', /auto, true or false/],
    ['even votes', verifier('votes: 2'), '3:12', 'verification.verifier.votes', null, /odd number/],
    ['duration in words', checks('- { command: a, timeout: 5 minutes }'), '3:30', 'verification.checks[0].timeout', null, /such as 90, 10m, 2h or 7d/],
    ['duration below zero', checks('- { command: a, timeout: -1 }'), '3:30', 'verification.checks[0].timeout', null, /more than 0/],
    ['duration of nothing', 'park_wait: 0s', '1:12', 'park_wait', null, /more than zero/],
    ['duration as a list', checks('- { command: a, timeout: [] }'), '3:30', 'verification.checks[0].timeout', null, /must be a number or text/],
    ['number as a check', checks('- 3'), '3:7', 'verification.checks[0]', null, /must be text or a mapping/],
    ['check by a name of every object', checks('- { name: constructor, command: make }'), '3:15', 'verification.checks[0].name', null, /cannot keep apart/],
    ['stage by a name of every object', 'review: { stages: [{ name: toString }] }\n', '1:28', 'review.stages[0].name', null, /cannot keep apart/],
    ['check without a source', checks('- name: a'), '3:7', 'verification.checks[0]', null, /needs one of command, check_run or status/],
    ['check with two sources', checks('- { command: a, status: b }'), '3:7', 'verification.checks[0]', null, /has one source/],
    ['two checks of one name', checks('- npm test', '- name: npm test', '  command: b'), '4:13', 'verification.checks[1].name', null, /earlier check/],
    ['the name of tier 1', checks('- tier1'), '3:7', 'verification.checks[0]', null, /built-in checks/],
    ['unknown rubric', verifier('rubric: default-tsk'), '3:13', 'verification.verifier.rubric', 'default-task', /default-task, frontend-design/],
    ['composite of nothing', verifier('kind: composite'), '3:11', 'verification.verifier.kind', null, /under `all`/],
    ['suite without a source', verifier('kind: test_suite'), '3:11', 'verification.verifier.kind', null, /needs `test_suite`/],
    ['rubric weights', 'rubrics:\n  mine:\n    criteria:\n      - { name: a, description: b, weight: 0.4, grade_type: binary }\n    calibration:\n' + calibration, '4:7', 'rubrics.mine.criteria', null, /add up to 0.4/],
    ['model without a price', verifier('model: claude-opus-4-8'), '3:12', 'verification.verifier.model', 'claude-opus-5-5', /`claude-opus-4-8`\) is a model whose price is not known: say it under `budget.prices`/],
    ['fallback without a price', verifier('fallback_model: a-model-of-tomorrow'), '3:21', 'verification.verifier.fallback_model', null, /budget\.prices/],
    ['vote without a price', verifier('votes_models: [claude-opus-5-5, b]'), '3:37', 'verification.verifier.votes_models[1]', null, /budget\.prices/],
    ['price without its output', 'budget: { prices: { b: { input: 1 } } }', '1:24', 'budget.prices.b.output', null, /`output` is missing/],
    ['price below nothing', 'budget: { prices: { b: { input: -1, output: 1 } } }', '1:33', 'budget.prices.b.input', null, /at least 0/],
    ['missing key', 'review:\n  stages:\n    - by: [lead]', '3:7', 'review.stages[0].name', null, /`name` is missing/],
    ['owner not text', 'identities: { owners: { bot: 1 } }', '1:30', 'identities.owners.bot', null, /must be text/],
    ['nothing can be listed', 'middleware: { coordination: [x] }', '1:30', 'middleware.coordination[0]', null, /nothing can/],
    ['repeated key', 'mode: off\nmode: shadow', '2:1', 'mode', null, /already on line 1/],
    ['bad indentation', 'a:\n  b: 1\n c: 2', '3:1', '', null, /not valid YAML/],
    ['tab', 'verification:\n\twait: 1', '2:1', '', null, /spaces, not with tabs/],
    ['open bracket', 'scope: { write: [a }', '1:20', '', null, /not valid YAML/],
    ['second document', 'mode: off\n---\nmode: off', '2:1', '', null, /Only one document/],
    ['list as a file', '- a', '1:1', '', null, /must be a mapping/],
    ['tag', 'mode: !mine off', '1:13', 'mode', null, /Tags/],
    ['merge key', 'tasks:\n  <<: { reopen_on_regression: true }', '2:3', 'tasks.<<', null, /Merge keys/],
    ['prototype', 'mode: off\n__proto__: { mode: off }', '2:1', '__proto__', null, /cannot be a key/],
    ['inherited word', 'constructor: 1', '1:1', 'constructor', null, /not a key/],
    ['alias of nothing', 'mode: *a', '1:7', 'mode', null, /no line above names/],
    ['max_retries', 'verification:\n  retry:\n    max_retries: 2', '3:5', 'verification.retry.max_retries', 'retry.max_attempts', /`retry\.max_attempts: 3`/],
    ['max_retries at the top', 'max_retries: 4', '1:1', 'max_retries', 'retry.max_attempts', /`retry\.max_attempts: 5`/],
    ['max_retries beside a check', checks('- { command: a, max_retries: x }'), '3:21', 'verification.checks[0].max_retries', 'retry.max_attempts', /`retry\.max_attempts` under/],
  ])('%s', (_title, text, place, key, nearest, message) => {
    const [problem, ...others] = problemsOf(text)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ file: 'policy.yml', key, nearest, message: expect.stringMatching(message) })
    expect(`${problem?.line}:${problem?.column}`).toBe(place)
  }) // prettier-ignore
})

test('all problems are told at once, in the order of the lines', () => {
  const text =
    'modus: off\nverification:\n  checks: [a, a]\n  verifier: { rubric: x, votes: 2 }\nscope: []\nscope: {}\n'
  expect(problemsOf(text).map(({ line, key }) => `${line} ${key}`)).toEqual([
    '1 modus',
    '3 verification.checks[1]',
    '4 verification.verifier.rubric',
    '4 verification.verifier.votes',
    '5 scope',
    '6 scope',
  ])
})

test('beyond the cap, the last line says how many more there are', () => {
  const problems = problemsOf(Array.from({ length: PROBLEMS_MAX + 7 }, (_, index) => `k${index}: 1`).join('\n'))
  expect(problems).toHaveLength(PROBLEMS_MAX + 1)
  expect(problems.at(-1)).toMatchObject({ line: PROBLEMS_MAX + 1, key: '', message: expect.stringMatching(/7 more/) })
})

test('what somebody wrote cannot break out of the message', () => {
  const [problem] = problemsOf('"`\\u001b[31m\\u202e@everyone\\n": 1')
  expect(problem?.message).toContain("`'\u{fffd}[31m\u{fffd}@everyone `")
})

describe('what would be without effect is refused where it stands', () => {
  test.each<[string, string, string, string, string | null, RegExp]>([
    ['an app of a status', checks('- { status: ci/build, app: github-actions }'), '3:32', 'verification.checks[0].app', null, /^`app` goes with `check_run` only\.$/],
    ['a workflow of a status', checks('- { status: ci/build, workflow: ci.yml }'), '3:37', 'verification.checks[0].workflow', null, /with `check_run` only/],
    ['conclusions of a status', checks('- { status: ci/build, accept: [success] }'), '3:35', 'verification.checks[0].accept', null, /with `check_run` only/],
    ['an app of a command', checks('- { command: make, app: github-actions }'), '3:29', 'verification.checks[0].app', null, /with `check_run` only/],
    ['a time limit of an adopted check', checks('- { check_run: build, timeout: 5m }'), '3:36', 'verification.checks[0].timeout', null, /with `command` only/],
    ['a folder of a status', checks('- { status: build, working_dir: a }'), '3:37', 'verification.checks[0].working_dir', null, /with `command` only/],
    ['an environment of an adopted check', checks('- { check_run: build, env: { A: b } }'), '3:32', 'verification.checks[0].env', null, /with `command` only/],
    ['a report of a status', checks('- { status: build, report: { junit: a } }'), '3:32', 'verification.checks[0].report', null, /with `command` only/],
    ['a suite that nobody runs', `${checks('- test')}\n  verifier: { kind: test_suite, test_suite: { check: tset } }`, '4:54', 'verification.verifier.test_suite.check', 'test', /does not exist\. Did you mean `test`/],
    ['an evaluator that nobody runs', `${checks('- judge')}\n  verifier: { kind: response_pattern, evaluator: jugde }`, '4:50', 'verification.verifier.evaluator', 'judge', /does not exist\. Did you mean `judge`/],
    ['a command for the verdict', `${checks('- test')}\n  verifier: { test_suite: { check: test, command: make } }`, '4:51', 'verification.verifier.test_suite.command', null, /not available yet.*Name a check/],
    ['a step that is switched off', 'middleware: { verifier: [semantic_drift] }', '1:25', 'middleware.verifier', null, /which `security.semantic_drift.enabled` leaves switched off/],
    ['a colour that is not named', `security: { vision: { expectations: [{ kind: dominant_colour, description: blue }] } }`, '1:38', 'security.vision.expectations[0]', null, /needs `expected_rgb`, since it is `dominant_colour`/],
    ['a colour of a size', `security: { vision: { expectations: [{ kind: size, description: wide, expected_size: { width: 9, height: 9 }, expected_rgb: [0, 0, 0] }] } }`, '1:125', 'security.vision.expectations[0].expected_rgb', null, /says nothing to `size`/],
    ['an unknown model that looks', `security: { vision: { model: gpt-99 } }`, '1:30', 'security.vision.model', null, /price is not known/],
  ])('%s', (_title, text, place, key, nearest, message) => {
    const [problem, ...others] = problemsOf(text)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ key, nearest, message: expect.stringMatching(message) })
    expect(`${problem?.line}:${problem?.column}`).toBe(place)
  }) // prettier-ignore

  test('and what the source reads is not', () => {
    const text = checks(
      '- { command: a, timeout: 1m, working_dir: b, env: { C: d }, report: { sarif: e }, paths: [f] }',
      '- { check_run: g, app: h, workflow: i.yml, accept: [neutral], paths: [f], required: false }',
      '- { status: j, paths: [f], required: false }',
    )
    expect(problemsOf(`${text}\n  verifier: { kind: test_suite, test_suite: { check: j } }`)).toEqual([])
  })

  test('an organisation is held to it like a repository', () => {
    expect(problemsOf('mode: off', { verification: { verifier: { test_suite: { command: 'make' } } } })).toMatchObject([
      { key: 'verification.verifier.test_suite.command' },
    ])
  })
})

test.each(['', '# nothing yet\n', '---\n', '\uFEFF'])('an empty file stands for the defaults: %j', (text) => {
  expect(readPolicy(text, 'policy.yml')).toEqual({ ok: true, layer: {}, policy: builtInPolicy })
})

test('a valid file gives the layer as written and the policy with defaults', () => {
  const reading = readPolicy('mode: off\nverification: { checks: [npm test], wait: 5m }', 'policy.yml')
  expect(reading).toMatchObject({
    ok: true,
    layer: { mode: 'off', verification: { checks: ['npm test'], wait: '5m' } },
    policy: { mode: 'off', verification: { wait: 300, checks: [{ name: 'npm test', required: true, timeout: 600 }] } },
  })
})

test('anchors and aliases of YAML repeat a value, in bounds', () => {
  const reading = readPolicy('scope: { write: &src ["src/**"] }\nprotected_paths: *src', 'policy.yml')
  expect(reading).toMatchObject({ ok: true, policy: { protected_paths: ['src/**'] } })
})

const aliasBomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...Array.from('bcdefghij', (letter, index) => `${letter}: &${letter} [${`*${'abcdefghi'[index]},`.repeat(9)}]`),
].join('\n')

describe('hostile files are refused quickly', () => {
  test.each([
    ['5 MB', 'a: 1\n'.repeat(1_000_000), /larger than 256 KiB/, 100],
    ['more bytes than characters', `# ${'é'.repeat(140_000)}`, /larger than 256 KiB/, 100],
    ['an alias bomb', aliasBomb, /more than 10000 values/, 100],
    ['a value within itself', 'scope: &a { write: [*a] }', /no line above names/, 100],
    ['100,000 brackets', '['.repeat(100_000), /nested more than/, 100],
    ['100,000 lists', '- '.repeat(100_000), /nested more than/, 100],
    ['100,000 keys of keys', '? '.repeat(100_000), /nested more than/, 100],
    [
      '20,000 keys',
      Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'),
      /more words and signs/,
      1000,
    ],
    ['4,000 wrong checks', checks(...Array.from({ length: 4000 }, () => '- {comand: x}')), /most 200 entries/, 1000],
    ['49,000 stray brackets', ']'.repeat(49_000), /not valid YAML/, 2000],
  ])('%s', async (_title, text, message, limitMs) => {
    expect(await costMs(() => expect(problemsOf(text)[0]?.message).toMatch(message))).toBeLessThan(limitMs)
  })
})
