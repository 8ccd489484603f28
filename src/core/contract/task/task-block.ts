// The block of language `countersign` in which a task states its own contract, read as strictly as a policy file. What it
// asks for is only a wish until `tighten.ts` has held it against the policy.
import { z } from 'zod'
import { normalise } from '../policy/aliases.ts'
import { expectationRules, expectationsSchema } from './expectations.ts'
import { jsonSchemaOf } from '../policy/json-schema.ts'
import { knownKeys } from '../policy/known-keys.ts'
import { idlePatterns } from '../policy/path-patterns.ts'
import { checkRules, idleKeys } from '../policy/policy-rules.ts'
import { scopeSchema } from '../policy/policy.ts'
import { report, type PolicyProblem } from '../problem.ts'
import { judgeTree } from '../policy/read-policy.ts'
import { readYaml, YAML_MAX } from '../read-yaml.ts'
import { globs, names, section } from '../policy/schema-parts.ts'
import { plain, plainMap, type JsonObject } from '../tree.ts'
import { verificationSchema } from '../policy/verification-schema.ts'

export const TASK_BLOCK_BYTES_MAX = 64 * 1024

const taskReference = z.union([
  z.number().int().min(1).max(999_999_999),
  z
    .string()
    .max(200)
    .regex(/^(?:[\w.-]+\/[\w.-]+)?#[1-9]\d{0,8}$/, 'must name an issue, such as 12, "#12" or owner/repo#12'),
])

export const taskBlockSchema = section({
  verification: verificationSchema.prefault({}),
  scope: scopeSchema.prefault({}),
  acceptance_criteria: z.array(z.string().trim().min(1).max(4000)).max(200).default([]),
  expected_outputs: globs.default([]),
  expected_file_types: names.default([]),
  stakes: z.enum(['low', 'medium', 'high', 'critical']).optional(),
  depends_on: z.array(taskReference).max(100).default([]),
  brief: z.string().max(20_000).optional(),
  expectations: expectationsSchema.default([]),
  middleware_override: z.array(z.literal('semantic_drift')).optional(),
})

export type TaskBlock = z.output<typeof taskBlockSchema>
export type TaskBlockReading =
  /** `asked` holds only the keys that were written, `block` all of them with their normalised values. */
  | { readonly ok: true; readonly block: TaskBlock; readonly asked: JsonObject }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] }

const blockKeys = knownKeys(() => jsonSchemaOf(taskBlockSchema))

/** `known`: the checks of the policy, which a block may name without saying again what they run. */
export function readTaskBlock(text: string, file: string, known: readonly string[] = []): TaskBlockReading {
  const { tree: written, flaws } = readYaml(text, { ...YAML_MAX, bytes: TASK_BLOCK_BYTES_MAX })
  if (written === null) return { ok: false, problems: report(flaws, file) }
  const { tree, flaws: aliasFlaws } = normalise(written)
  const rules = () => {
    const verification = tree.entries.get('verification')?.value
    const checks = verification?.kind === 'map' ? verification.entries.get('checks')?.value : undefined
    const written = checks === undefined ? [] : plain(checks)
    const expected = tree.entries.get('expectations')
    const expectations = expected === undefined ? [] : expectationRules(plain(expected.value), ['expectations'])
    return [...checkRules(written, known), ...idleKeys(written), ...idlePatterns(plain(tree)), ...expectations]
  }
  const judged = judgeTree(tree, taskBlockSchema, blockKeys, rules)
  const all = [...flaws, ...aliasFlaws, ...judged.flaws]
  if (judged.value === null || all.length > 0) return { ok: false, problems: report(all, file) }
  return { ok: true, block: judged.value, asked: plainMap(tree) }
}
