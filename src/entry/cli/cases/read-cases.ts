// Reads a file of policy tests as strictly as a policy: every problem at once, with line, column and the nearest word.
// The policy that a case brings along is merged over that of the file, and judged like any other.
import { canonical } from '../../../core/canonical.ts'
import { normalise } from '../../../core/contract/policy/aliases.ts'
import { jsonSchemaOf } from '../../../core/contract/policy/json-schema.ts'
import { knownKeys } from '../../../core/contract/policy/known-keys.ts'
import { mergeTrees } from '../../../core/contract/policy/layers.ts'
import { policyRules } from '../../../core/contract/policy/policy-rules.ts'
import { policyShape, type Policy } from '../../../core/contract/policy/policy.ts'
import { judgeTree, readPolicy } from '../../../core/contract/policy/read-policy.ts'
import { readYaml } from '../../../core/contract/read-yaml.ts'
import { entryAt, mapOf, type MapTree } from '../../../core/contract/tree.ts'
import { CannotRun, invalid } from './cannot-run.ts'
import { caseFile, type PolicyCase } from './case-format.ts'

export type ReadCase = Pick<PolicyCase, 'name' | 'given' | 'expect'> & { readonly policy: Policy }
export type PolicySource = { readonly text: string; readonly file: string }

const CASES_MAX = { bytes: 4 * 1024 * 1024, tokens: null, values: 500_000 } as const
const caseKeys = knownKeys(() => jsonSchemaOf(caseFile))
const policyKeys = knownKeys(() => jsonSchemaOf(policyShape))
const nothing = mapOf({})

/** `fetch` reads the file that the tests name as their policy. */
export async function readCases(
  text: string,
  file: string,
  fetch: (path: string) => Promise<PolicySource>,
): Promise<ReadCase[]> {
  const { tree, flaws } = readYaml(text, CASES_MAX)
  if (tree === null) throw invalid(file, flaws)
  const judged = judgeTree(tree, caseFile, caseKeys, () => [])
  if (judged.value === null || flaws.length > 0) throw invalid(file, [...flaws, ...judged.flaws])
  const { policy, cases } = judged.value
  const base = typeof policy === 'string' ? layerOf(await fetch(policy)) : inline(tree, ['policy'], nothing, file).tree
  const items = entryAt(tree, ['cases'])?.value
  // Many cases bring the same policy, and judging one takes longer than playing a case.
  const known = new Map<string, Policy>()
  return cases.map(({ name, given, expect }, index) => {
    const own = items?.kind === 'list' ? items.items[index] : undefined
    const key = canonical(given.policy)
    const policy = known.get(key) ?? inline(own?.kind === 'map' ? own : nothing, ['given', 'policy'], base, file).policy
    known.set(key, policy)
    return { name, given, expect, policy }
  })
}

function layerOf({ text, file }: PolicySource): MapTree {
  const reading = readPolicy(text, file)
  if (reading.ok) return mapOf(reading.layer)
  throw new CannotRun(`the policy ${file} is invalid`, reading.problems)
}

/** A policy written inside the test file, over the one below it. */
function inline(
  tree: MapTree,
  path: readonly string[],
  below: MapTree,
  file: string,
): { tree: MapTree; policy: Policy } {
  const written = entryAt(tree, path)?.value
  const { tree: own, flaws } = normalise(written?.kind === 'map' ? written : nothing)
  if (flaws.length > 0) throw invalid(file, flaws)
  const merged = mergeTrees(below, own)
  return { tree: merged, policy: judgedPolicy(merged, file) }
}

function judgedPolicy(tree: MapTree, file: string): Policy {
  const { value, flaws } = judgeTree(tree, policyShape, policyKeys, policyRules)
  if (value === null || flaws.length > 0) throw invalid(file, flaws)
  return value
}
