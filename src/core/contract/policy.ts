// The policy: everything that `.github/countersign.yml` may say, with its defaults. The JSON Schema for editors is
// generated from this file, so there is no second list of keys.
import { z } from 'zod'
import { checks, duration, globs, names, permission, rubric, share } from './schema-parts.ts'

export const builtInRubrics = { 'default-task': 0.7, 'frontend-design': 0.7 } as const

const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape)
const count = (max: number) => z.number().int().min(1).max(max)

export const verificationSchema = section({
  checks: checks.default([]).describe('Deterministic checks; a bare string is a required command.'),
  execution: section({
    mode: z.enum(['parallel', 'sequential']).default('parallel'),
    max_parallel: count(64).default(4),
    fail_fast: z.boolean().default(false),
  }).prefault({}),
  no_checks: z.enum(['warn', 'require_human']).default('warn').describe('What success needs when no check ran.'),
  wait: duration.default(7200).describe('How long to wait for results that never come.'),
  timeout_retry: section({
    factor: z.number().min(1).max(10).default(2),
    max: z.number().int().min(0).max(5).default(0),
  }).prefault({}),
  tier1: section({
    expected_outputs: globs.default([]),
    expected_file_types: names.default([]),
    allow_empty: globs.default(['**/__init__.py', '**/.gitkeep']),
    ignore: globs.default([]),
    sql_dialect: z.string().nullable().default(null),
    weakened_tests: z.enum(['finding', 'fail']).default('finding'),
  }).prefault({}),
  verifier: section({
    enabled: z
      .union([z.literal('auto'), z.boolean()])
      .default('auto')
      .describe('auto: on where the App has a model; true: never without; false: off.'),
    tier: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(2),
    votes: z
      .number()
      .int()
      .min(1)
      .max(15)
      .refine((votes) => votes % 2 === 1, 'the number of votes must be odd')
      .default(3),
    votes_models: names.default([]),
    kind: z.enum(['rubric', 'response_pattern', 'test_suite', 'composite']).default('rubric'),
    model: z.string().min(1).default('claude-sonnet-5-5'),
    fallback_model: z.string().nullable().default(null),
    criteria: z.string().max(20_000).default('').describe('Each bullet is one acceptance criterion of every task.'),
    rubric: z.string().default('default-task'),
    min_confidence: share.nullable().default(null),
    run_when_checks_fail: z.boolean().default(true),
    on_error: z.enum(['retry', 'refer']).default('retry'),
    require_different_model: z.enum(['warn', 'off', 'enforce']).default('warn'),
    decomposer: z.enum(['llm', 'identity']).default('llm'),
    max_probes_per_criterion: count(20).default(5),
    grader: z.enum(['llm', 'heuristic']).default('llm'),
    grader_fallback: z.enum(['none', 'heuristic']).default('none'),
    hidden_text: z.enum(['refer', 'finding']).default('refer'),
    hidden_text_allowed: globs.default([]),
    pass_pattern: z.string().max(500).optional(),
    fail_pattern: z.string().max(500).optional(),
    test_suite: section({
      check: z.string().optional(),
      command: z.string().optional(),
      working_dir: z.string().optional(),
      timeout: duration.optional(),
    }).optional(),
    all: z
      .array(z.enum(['rubric', 'response_pattern', 'test_suite']))
      .min(1)
      .optional(),
  }).prefault({}),
  retry: section({
    max_attempts: count(100).default(3),
    applies_to: z.enum(['agents', 'everyone']).default('agents'),
    include_check_output: z.boolean().default(true),
    include_verifier_feedback: z.boolean().default(true),
    stop_on_no_progress: z.number().int().min(0).max(100).default(2).describe('0 never stops for it.'),
    dispatch: z.enum(['none', 'mention']).default('none'),
  }).prefault({}),
})

const gate = {
  model: z.string().nullable().default(null),
  on_error: z.enum(['pass_with_info', 'refer']).default('pass_with_info'),
}

export const scopeSchema = section({
  write: globs.default(['**']),
  deny: globs.default([]),
  parallel: z.enum(['tell', 'hold', 'off']).default('tell'),
})

export const policySchema = section({
  version: z.literal(1).default(1),
  mode: z.enum(['enforce', 'shadow', 'off']).default('enforce'),
  merge_requires: z.enum(['success', 'completed', 'verified']).default('success'),
  verification: verificationSchema.prefault({}),
  scope: scopeSchema.prefault({}),
  protected_paths: globs.default(['.github/**']),
  override_policy: section({
    check_override_allowed: z.boolean().default(true),
    check_override_requires_reason: z.boolean().default(true),
    verifier_override_allowed: z.boolean().default(true),
    direct_approval_allowed: z.boolean().default(false),
    reviews_are_direct_approval: z.boolean().default(false),
    review_resolves_refer: z.boolean().default(true),
    min_permission: permission.exclude(['none', 'read', 'triage']).default('maintain'),
  }).prefault({}),
  roles: section({
    lead: names.default([]),
    reviewer: names.default([]),
    verifier: names.default([]),
  }).prefault({}),
  identities: section({
    agents: names.default([]),
    owners: z.record(z.string(), z.string()).default({}),
    exempt: names.default(['dependabot[bot]', 'renovate[bot]']),
  }).prefault({}),
  separation: z.enum(['auto', 'triple', 'double', 'solo']).default('auto'),
  review: section({
    stages: z
      .array(section({ name: z.string().min(1).max(100), by: names.default([]), count: count(20).default(1) }))
      .max(20)
      .default([]),
  }).prefault({}),
  goals: section({
    merge_requires: z.enum(['verified', 'completed', 'success']).default('verified'),
    integration_checks: names.default([]),
    max_tasks: count(1000).default(20),
  }).prefault({}),
  intake: section({
    clarification: z.enum(['warn', 'off', 'block']).default('warn'),
    on_approve: z.enum(['mention', 'none']).default('mention'),
  }).prefault({}),
  tasks: section({ reopen_on_regression: z.boolean().default(false) }).prefault({}),
  park_wait: duration.default(604_800),
  security: section({
    red_team: section({
      enabled: z.boolean().default(false),
      min_stakes: z.enum(['low', 'medium', 'high', 'critical']).default('high'),
      on_missing_deliverable: z.enum(['block', 'skip']).default('block'),
      ...gate,
    }).prefault({}),
    vision: section({
      enabled: z.boolean().default(false),
      kind: z.enum(['noop', 'heuristic', 'llm_vision']).default('noop'),
      ...gate,
    }).prefault({}),
    autonomy: z.enum(['supervised', 'locked', 'semi', 'full']).default('supervised'),
    semantic_drift: section({ enabled: z.boolean().default(false), threshold: share.default(0.5) }).prefault({}),
  }).prefault({}),
  middleware: section({
    verifier: z.array(z.literal('semantic_drift')).default([]),
    coordination: z.array(z.never()).default([]),
  }).prefault({}),
  budget: section({
    usd_per_attempt: z.number().min(0).default(0.75),
    usd_per_task: z.number().min(0).default(5),
    calls_per_attempt: count(1000).default(12),
  }).prefault({}),
  rubrics: z.record(z.string(), rubric).default({}),
}).superRefine((policy, context) => {
  const { verifier } = policy.verification
  const complain = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path })
  const known = [...Object.keys(builtInRubrics), ...Object.keys(policy.rubrics)]
  if (!known.includes(verifier.rubric)) {
    complain(
      `unknown rubric \`${verifier.rubric}\`; known are ${known.join(', ')}`,
      'verification',
      'verifier',
      'rubric',
    )
  }
  if (verifier.kind === 'composite' && verifier.all === undefined) {
    complain('kind composite needs a list of verifiers under `all`', 'verification', 'verifier', 'kind')
  }
  if (verifier.kind === 'test_suite' && verifier.test_suite === undefined) {
    complain('kind test_suite needs `test_suite` with a check or a command', 'verification', 'verifier', 'kind')
  }
})

export type Policy = z.output<typeof policySchema>
export type PolicyInput = z.input<typeof policySchema>
export type Verification = Policy['verification']
export type CheckRule = Verification['checks'][number]
export type Scope = Policy['scope']

export const builtInPolicy: Policy = policySchema.parse({})

/** The least confidence that a verdict needs, or null where no minimum applies. */
export function minConfidence(policy: Pick<Policy, 'verification' | 'rubrics'>): number | null {
  const { min_confidence: own, kind, rubric } = policy.verification.verifier
  if (own !== null || kind !== 'rubric') return own
  return (
    policy.rubrics[rubric]?.min_confidence ?? builtInRubrics[rubric === 'frontend-design' ? rubric : 'default-task']
  )
}
