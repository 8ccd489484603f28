// What a policy must hold beyond the type of each key. The rules read raw values, also where other keys are wrong, so
// that somebody who made two mistakes hears of both at once.
import { compiled } from '../../linear-pattern.ts'
import { builtInRubrics } from './built-in-rubrics.ts'
import { expectationRules } from '../task/expectations.ts'
import { patternRules } from './path-patterns.ts'
import { listedPrice, pricedModels } from './prices.ts'
import { nearestWord } from '../problem.ts'
import { dig, isRecord, record, type RuleBroken } from './rule-broken.ts'
import { checkName, keysOfSource, sourceKeys } from './schema-parts.ts'

const vision = ['security', 'vision']

export function policyRules(policy: unknown): RuleBroken[] {
  return [
    ...checkRules(dig(policy, 'verification', 'checks'), []),
    ...stageRules(dig(policy, 'review', 'stages')),
    ...verifierRules(policy),
    ...modelRules(policy),
    ...patternRules(policy),
    ...stepRules(policy),
    ...expectationRules(dig(policy, ...vision, 'expectations'), [...vision, 'expectations']),
  ]
}

/** `known`: checks that exist already, which an entry may name without saying again what they run. */
export function checkRules(list: unknown, known: readonly string[]): RuleBroken[] {
  if (!Array.isArray(list)) return []
  const seen = new Set(['tier1'])
  return list.flatMap((item: unknown, index) => {
    const check = asCheck(item)
    if (check === null) return []
    const { name, sources, named } = check
    const path = ['verification', 'checks', index]
    const broken: RuleBroken[] = []
    const complain = (message: string, at = path) => broken.push({ path: at, message, nearest: null })
    if (name !== '' && seen.has(name)) {
      const message = name === 'tier1' ? 'is the name of the built-in checks' : 'is the name of an earlier check too'
      complain(`(\`${name}\`) ${message}`, named ? [...path, 'name'] : path)
    }
    seen.add(name)
    if (isOfObjects(name)) complain(`(\`${name}\`) ${ofObjects}`, named ? [...path, 'name'] : path)
    if (sources > 1) complain('has one source: keep one of command, check_run and status')
    if (sources === 0 && !known.includes(name)) complain('needs one of command, check_run or status')
    return broken
  })
}

/** A stage is known by its name. */
function stageRules(list: unknown): RuleBroken[] {
  if (!Array.isArray(list)) return []
  const names = list.map((stage: unknown) => dig(stage, 'name'))
  return names.flatMap((name, index) => {
    const isTaken = typeof name === 'string' && names.indexOf(name) < index
    const message = isTaken ? 'is the name of an earlier stage too' : isOfObjects(name) ? ofObjects : null
    return message === null ? [] : [{ path: ['review', 'stages', index, 'name'], message, nearest: null }]
  })
}

/** What is kept by name would be found under these although nobody has put it there. */
const isOfObjects = (name: unknown): boolean => typeof name === 'string' && name in {}
const ofObjects = 'is a name that the App cannot keep apart: take another'

function asCheck(item: unknown): { name: string; sources: number; named: boolean } | null {
  if (typeof item === 'string') return { name: checkName({ command: item }), sources: 1, named: false }
  if (!isRecord(item)) return null
  const text = (key: string) => (typeof item[key] === 'string' ? item[key] : undefined)
  const [name, command, check_run, status] = ['name', 'command', 'check_run', 'status'].map(text)
  const sources = sourceKeys.filter((key) => item[key] !== undefined).length
  return { name: checkName({ name, command, check_run, status }), sources, named: name !== undefined }
}

/** Keys that the source of a check leaves unread. Only of what was written: defaults stand beside every source. */
export function idleKeys(list: unknown): RuleBroken[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown, index) => {
    const written = record(item)
    const [source, ...others] = sourceKeys.filter((key) => written[key] !== undefined)
    if (source === undefined || others.length > 0) return []
    return Object.entries(keysOfSource).flatMap(([key, of]) =>
      written[key] === undefined || of === source
        ? []
        : [{ path: ['verification', 'checks', index, key], message: `goes with \`${of}\` only`, nearest: null }],
    )
  })
}

/** A check that a verdict is read from must be there, or it would be awaited for ever. */
export function suiteRules(policy: unknown): RuleBroken[] {
  const checks = dig(policy, 'verification', 'checks')
  const names = Array.isArray(checks) ? checks.flatMap((item: unknown) => asCheck(item)?.name ?? []) : []
  const verifier = ['verification', 'verifier']
  return [
    [...verifier, 'test_suite', 'check'],
    [...verifier, 'evaluator'],
  ].flatMap((path) => {
    const name = dig(policy, ...path)
    if (typeof name !== 'string' || names.includes(name)) return []
    return [{ path, message: 'names a check that does not exist', nearest: nearestWord(name, names) }]
  })
}

function verifierRules(policy: unknown): RuleBroken[] {
  const broken: RuleBroken[] = []
  const complain = (key: string, message: string, near: string | null = null) =>
    broken.push({ path: ['verification', 'verifier', key], message, nearest: near })
  const {
    kind,
    rubric,
    all,
    test_suite: suite,
    pass_pattern,
    fail_pattern,
  } = record(dig(policy, 'verification', 'verifier'))

  const rubrics = [...Object.keys(builtInRubrics), ...Object.keys(record(dig(policy, 'rubrics')))]
  if (typeof rubric === 'string' && !rubrics.includes(rubric)) {
    const near = nearestWord(rubric, rubrics)
    complain('rubric', `names a rubric that does not exist. Known are ${rubrics.join(', ')}`, near)
  }
  if (kind === 'composite' && all === undefined) complain('kind', 'composite needs a list of kinds under `all`')
  const usesSuite = kind === 'test_suite' || (kind === 'composite' && Array.isArray(all) && all.includes('test_suite'))
  if (usesSuite && record(suite)['check'] === undefined) complain('kind', 'needs `test_suite` with the name of a check')
  for (const [key, pattern] of Object.entries({ pass_pattern, fail_pattern })) {
    if (typeof pattern === 'string' && compiled(pattern) === null)
      complain(key, 'is not a regular expression of RE2 syntax')
  }
  return broken
}

/** A step that is named and switched off would be without effect. */
function stepRules(policy: unknown): RuleBroken[] {
  const named = dig(policy, 'middleware', 'verifier')
  const isOn = dig(policy, 'security', 'semantic_drift', 'enabled') === true
  if (isOn || !Array.isArray(named) || !named.includes('semantic_drift')) return []
  const message = 'names `semantic_drift`, which `security.semantic_drift.enabled` leaves switched off'
  return [{ path: ['middleware', 'verifier'], message, nearest: null }]
}

/** Whoever sets a limit in dollars has to be able to rely on it. */
function modelRules(policy: unknown): RuleBroken[] {
  const path = ['verification', 'verifier']
  const { model, fallback_model, finder_model, votes_models: votes } = record(dig(policy, ...path))
  const own = record(dig(policy, 'budget', 'prices'))
  const named = [
    { path: [...path, 'model'], model },
    { path: [...path, 'fallback_model'], model: fallback_model },
    { path: [...path, 'finder_model'], model: finder_model },
    ...['red_team', 'vision'].map((gate) => {
      const of = ['security', gate, 'model']
      return { path: of, model: dig(policy, ...of) }
    }),
    ...(Array.isArray(votes) ? votes : []).map((one: unknown, index) => ({
      path: [...path, 'votes_models', index],
      model: one,
    })),
  ]
  return named.flatMap((one) => {
    const { model: name } = one
    if (typeof name !== 'string' || name === '' || name in own || listedPrice(name, 0) !== null) return []
    const message = `(\`${name}\`) is a model whose price is not known: say it under \`budget.prices\``
    return [{ path: one.path, message, nearest: nearestWord(name, pricedModels) }]
  })
}
