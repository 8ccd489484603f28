// A task's block may ask for more than the policy, never for less. Which way is stricter is a table: a key that is not in
// it belongs to the policy alone. Whatever is not granted is a warning that names the key.
import { canonical, type Json } from '../../canonical.ts'
import { notAvailable, unavailableAsked } from '../policy/not-available.ts'
import { minConfidence, type CheckRule, type Policy } from '../policy/policy.ts'
import type { TaskBlock } from './task-block.ts'
import type { JsonObject, Scalar } from '../tree.ts'

export type ContractWarning = { readonly key: string; readonly message: string }

type Direction = 'more' | 'less' | 'less, but 0 is endless' | 'adds' | readonly Scalar[]

/** Lists go from lenient to strict. */
export const stricter: Readonly<Record<string, Direction>> = {
  // A user of its own keeps checks away from the Action, a job of its own keeps them away from each other as well.
  'verification.execution.isolation': ['shared', 'user', 'job'],
  'verification.no_checks': ['warn', 'require_human'],
  'verification.wait': 'less',
  'verification.timeout_retry.factor': 'less',
  'verification.timeout_retry.max': 'less',
  'verification.tier1.expected_outputs': 'adds',
  'verification.tier1.expected_file_types': 'adds',
  'verification.tier1.weakened_tests': ['finding', 'fail'],
  'verification.tier1.secrets': ['off', 'warn', 'fail'],
  'verification.verifier.enabled': [false, 'auto', true],
  'verification.verifier.tier': 'more',
  'verification.verifier.votes': 'more',
  'verification.verifier.min_confidence': 'more',
  'verification.verifier.run_when_checks_fail': [false, true],
  'verification.verifier.require_different_model': ['off', 'warn', 'enforce'],
  'verification.verifier.hidden_text': ['finding', 'refer'],
  'verification.verifier.grader_fallback': ['heuristic', 'none'],
  'verification.retry.max_attempts': 'less',
  'verification.retry.applies_to': ['agents', 'everyone'],
  'verification.retry.stop_on_no_progress': 'less, but 0 is endless',
  expected_outputs: 'adds',
  expected_file_types: 'adds',
}

/** Keys at the top of a block that the policy has elsewhere. */
const inPolicy: Readonly<Record<string, readonly string[]>> = {
  expected_outputs: ['verification', 'tier1', 'expected_outputs'],
  expected_file_types: ['verification', 'tier1', 'expected_file_types'],
}

/** What a trusted block may also loosen. */
export const freeWhenTrusted: readonly string[] = [
  'verification.retry.max_attempts',
  'verification.verifier.enabled',
  'verification.verifier.tier',
]

/** These are not settings of the policy; `make-contract.ts` puts them into the contract. */
const elsewhere = [
  'verification.checks', 'verification.verifier.criteria', 'scope.write', 'scope.deny', 'acceptance_criteria', 'stakes',
  'depends_on', 'brief', 'expectations', 'middleware_override',
] // prettier-ignore

export type Tightened = { readonly policy: Json; readonly warnings: readonly ContractWarning[] }

/** The policy as plain JSON, for its schema to read again. */
export function tighten(policy: Policy, block: TaskBlock, asked: JsonObject, trusted: boolean): Tightened {
  const warnings: ContractWarning[] = unavailableAsked(asked)
  let tightened: Json = policy
  for (const written of leavesOf(asked)) {
    const key = written.join('.')
    if (elsewhere.includes(written[0] ?? '') || elsewhere.includes(key) || Object.hasOwn(notAvailable, key)) continue
    const path = inPolicy[key] ?? written
    const present = key === 'verification.verifier.min_confidence' ? minConfidence(policy) : valueAt(tightened, path)
    const { value, warning } = settled(key, present, valueAt(block, written), trusted)
    if (warning !== null) warnings.push({ key, message: warning })
    if (value !== present) tightened = withValue(tightened, path, value)
  }
  const checks = tightenChecks(policy.verification.checks, block.verification.checks, keysAsked(asked))
  const whole = withValue(tightened, ['verification', 'checks'], checks.rules)
  return { policy: whole, warnings: [...warnings, ...checks.warnings] }
}

type Settled = { readonly value: Json | undefined; readonly warning: string | null }

function settled(key: string, present: Json | undefined, wanted: Json | undefined, trusted: boolean): Settled {
  if (canonical(present) === canonical(wanted)) return { value: present, warning: null }
  const direction = stricter[key]
  if (direction === undefined) {
    return { value: present, warning: `Only the policy file can set \`${key}\`. What the task asks for is ignored.` }
  }
  if (direction === 'adds') return { value: union(present, wanted), warning: null }
  if (rank(direction, wanted) > rank(direction, present)) return { value: wanted, warning: null }
  const [asks, has] = [shown(wanted), shown(present)]
  if (trusted && freeWhenTrusted.includes(key)) {
    const message = `The task loosens \`${key}\` from ${has} to ${asks}. Whoever edited its block last may do so.`
    return { value: wanted, warning: message }
  }
  const message = `The task asks for ${asks} as \`${key}\`, less than the ${has} of the policy, which stands.`
  return { value: present, warning: message }
}

/** The higher, the stricter. */
function rank(direction: Exclude<Direction, 'adds'>, value: Json | undefined): number {
  if (typeof direction !== 'string') return direction.findIndex((word) => word === value)
  if (typeof value !== 'number') return -Infinity
  if (direction === 'more') return value
  return direction === 'less, but 0 is endless' && value === 0 ? -Infinity : -value
}

const shown = (value: Json | undefined): string => `\`${JSON.stringify(value ?? null)}\``

function union(present: Json | undefined, wanted: Json | undefined): Json {
  const lists = [present, wanted].flatMap((list) => (isList(list) ? list : []))
  return [...new Set(lists)]
}

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !isList(value)

function leavesOf(value: JsonObject, path: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) ? leavesOf(inner, [...path, key]) : [[...path, key]],
  )
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
}

function withValue(value: Json | undefined, [key, ...rest]: readonly string[], leaf: Json | undefined): Json {
  if (key === undefined) return leaf ?? null
  const object = isObject(value) ? value : {}
  return { ...object, [key]: withValue(object[key], rest, leaf) }
}

/** Which keys each check of the block was written with. A bare string is a command. */
function keysAsked(asked: JsonObject): readonly (readonly string[])[] {
  const checks = valueAt(asked, ['verification', 'checks'])
  return isList(checks) ? checks.map((check) => (isObject(check) ? Object.keys(check) : ['command'])) : []
}

type TightenedChecks = { readonly rules: readonly CheckRule[]; readonly warnings: readonly ContractWarning[] }

/** New checks are added; of those that exist, only what makes them stricter is taken. */
function tightenChecks(
  present: readonly CheckRule[],
  wanted: readonly CheckRule[],
  asked: readonly (readonly string[])[],
): TightenedChecks {
  const rules = new Map(present.map((rule) => [rule.name, rule]))
  const warnings: ContractWarning[] = []
  for (const [index, wish] of wanted.entries()) {
    const rule = rules.get(wish.name)
    const keys = asked[index] ?? []
    const refused = rule === undefined ? [] : keys.filter((key) => !mayReplace(key, rule, wish))
    rules.set(wish.name, rule === undefined ? wish : tightenCheck(rule, wish, keys))
    for (const key of refused) {
      const message = `The task may make the check \`${wish.name}\` stricter, but not change its \`${key}\` like this. The policy stands.`
      warnings.push({ key: `verification.checks[${wish.name}].${key}`, message })
    }
  }
  return { rules: [...rules.values()], warnings }
}

function tightenCheck(rule: CheckRule, wish: CheckRule, keys: readonly string[]): CheckRule {
  const takes = (key: string) => keys.includes(key) && mayReplace(key, rule, wish)
  return {
    ...rule,
    ...(takes('required') ? { required: wish.required } : {}),
    ...(takes('timeout') ? { timeout: wish.timeout } : {}),
    ...(takes('accept') ? { accept: wish.accept } : {}),
  }
}

function mayReplace(key: string, rule: CheckRule, wish: CheckRule): boolean {
  if (key === 'required') return wish.required || !rule.required
  if (key === 'timeout') return wish.timeout <= rule.timeout
  if (key === 'accept') return wish.accept.every((conclusion) => rule.accept.includes(conclusion))
  return canonical(valueAt(rule, [key])) === canonical(valueAt(wish, [key]))
}
