// A policy file to a policy, strictly: an unknown key, a wrong type, an unknown word are problems with line and column,
// and all of them are told at once. No part of an invalid file governs.
import type { z } from 'zod'
import { normalise } from './aliases.ts'
import { issueFlaws, stepsOf } from './issue-words.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { knownKeys, type KnownKeys } from './known-keys.ts'
import { mergeTrees, type PolicyLayer } from './layers.ts'
import { unavailableIn } from './not-available.ts'
import { idlePatterns } from './path-patterns.ts'
import { idleKeys, policyRules, suiteRules } from './policy-rules.ts'
import { policyShape, type Policy } from './policy.ts'
import { lastKey, quoted, report, type Flaw, type PolicyProblem } from '../problem.ts'
import { readYaml, YAML_MAX } from '../read-yaml.ts'
import { dig, type RuleBroken } from './rule-broken.ts'
import { locate, mapOf, plain, plainMap, type MapTree } from '../tree.ts'

export const POLICY_BYTES_MAX = YAML_MAX.bytes

export type PolicyReading =
  | { readonly ok: true; readonly layer: PolicyLayer; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] }

const policyKeys = knownKeys(() => jsonSchemaOf(policyShape))

/** A file is held to more than the schema: nothing in it may be without effect. */
const rulesOfFiles = (policy: unknown): RuleBroken[] => [
  ...policyRules(policy),
  ...idleKeys(dig(policy, 'verification', 'checks')),
  ...idlePatterns(policy),
  ...suiteRules(policy),
  ...unavailableIn(policy),
]

/** `below`: the layer under this one, the organisation's default. The policy is that of both, and so is the judgement. */
export function readPolicy(text: string, file: string, below: PolicyLayer = {}): PolicyReading {
  const { tree: written, flaws } = readYaml(text, YAML_MAX)
  if (written === null) return { ok: false, problems: report(flaws, file) }
  const normalised = normalise(written)
  const merged = mergeTrees(mapOf(below), normalised.tree)
  const judged = judgeTree(merged, policyShape, policyKeys, rulesOfFiles)
  const all = [...flaws, ...normalised.flaws, ...judged.flaws]
  if (judged.value === null || all.length > 0) return { ok: false, problems: report(all, file) }
  return { ok: true, layer: plainMap(normalised.tree), policy: judged.value }
}

export type Judged<T> = { readonly value: T | null; readonly flaws: readonly Flaw[] }

/** Types first, then the rules that span keys. A rule is silent about what is wrong already. */
export function judgeTree<T>(
  tree: MapTree,
  schema: z.ZodType<T>,
  known: KnownKeys,
  rules: (value: unknown) => readonly RuleBroken[],
): Judged<T> {
  const value = plain(tree)
  const parsed = schema.safeParse(value)
  const issues = parsed.error?.issues ?? []
  const broken = rules(value).filter(({ path }) => !issues.some((issue) => isWithin(stepsOf(issue), path)))
  const flaws = [
    ...issues.flatMap((issue) => issueFlaws(issue, tree, known)),
    ...broken.map((rule) => ruleFlaw(rule, tree)),
  ]
  return { value: parsed.success ? parsed.data : null, flaws }
}

const isWithin = (path: readonly unknown[], outer: readonly unknown[]): boolean =>
  outer.every((step, index) => path[index] === step)

function ruleFlaw({ path, message, nearest }: RuleBroken, tree: MapTree): Flaw {
  const { spot, path: written } = locate(tree, path)
  const meant = nearest === null ? '' : ` Did you mean ${quoted(nearest)}?`
  return { spot, path: written, message: `${quoted(lastKey(written))} ${message}.${meant}`, nearest }
}
