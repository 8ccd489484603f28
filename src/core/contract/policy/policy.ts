// The policy: everything that `.github/countersign.yml` may say, with its defaults. The JSON Schema for editors is
// generated from here, so there is no second list of keys.
import { z } from 'zod'
import { expectationsSchema } from '../task/expectations.ts'
import { policyRules } from './policy-rules.ts'
import { rubric } from './rubric-schema.ts'
import { surfaces } from '../surfaces.ts'
import { builtInRubrics } from './built-in-rubrics.ts'
import { count, duration, flag, globs, names, permission, section, share } from './schema-parts.ts'
import { verificationSchema } from './verification-schema.ts'

const gate = {
  model: z.string().nullable().default(null).describe('The model that judges; null: that of the verifier.'),
  on_error: z
    .enum(['pass_with_info', 'refer'])
    .optional()
    .describe(
      'What happens when nobody can be asked: pass_with_info, the default, lets it pass and says so; what the change itself can bring about always goes to a person.',
    ),
}

export const scopeSchema = section({
  write: globs.default(['**']).describe('Paths that a change may touch.'),
  deny: globs.default([]).describe('Paths that a change must not touch, even if `write` names them.'),
  parallel: z
    .enum(['tell', 'hold', 'off'])
    .default('off')
    .describe(
      'What happens to the later of two open pull requests that write the same places: tell, it is said; hold, it waits for the other one.',
    ),
})

const overridePolicy = section({
  check_override_allowed: flag(true, 'People may override failed checks.'),
  check_override_requires_reason: flag(true, 'An override of checks needs a reason.'),
  verifier_override_allowed: flag(true, 'People may override the verifier.'),
  direct_approval_allowed: flag(false, 'People may let a change pass without checks and verifier.'),
  reviews_are_direct_approval: flag(false, 'An approving review is such a direct approval.'),
  review_resolves_refer: flag(true, 'An approving review answers a question that the verifier handed to people.'),
  min_permission: permission
    .exclude(['none', 'read', 'triage'])
    .default('maintain')
    .describe('The least repository permission that overrides need.'),
})

const stage = section({
  name: z.string().min(1).max(100).describe('Name of the stage.'),
  by: names
    .default([])
    .describe('Who may approve: a role, logins, org/team or code_owners; empty: whoever may review.'),
  count: count(20)
    .default(1)
    .describe('How many approvals the stage needs; of code_owners, for each path that changed.'),
  paths: globs.optional().describe('Only where one of these paths changed.'),
  when: z
    .enum(['always', 'agents'])
    .default('always')
    .describe('agents: only what an agent had a hand in, or where nobody can tell.'),
})

const security = section({
  red_team: section({
    enabled: flag(false, 'Let a fresh reader attack what everything else lets pass.'),
    paths: globs.optional().describe('Changes of these paths are attacked, whatever is at stake.'),
    min_stakes: z
      .enum(['low', 'medium', 'high', 'critical'])
      .optional()
      .describe(
        'Tasks from these stakes on are attacked, and so is every change of a protected path; by default high.',
      ),
    surfaces: z.array(z.enum(surfaces)).min(1).optional().describe('Where it looks; by default everywhere.'),
    on_missing_deliverable: z
      .enum(['block', 'skip'])
      .optional()
      .describe('What it does where nothing has changed; by default block.'),
    ...gate,
  })
    .prefault({})
    .describe('A gate that attacks the change after everything else, and blocks by what it can show.'),
  vision: section({
    enabled: flag(false, 'Judge the screenshots that the Action hands over.'),
    kind: z
      .enum(['noop', 'heuristic', 'llm_vision'])
      .default('noop')
      .describe('noop: not at all; heuristic: measured by `expectations`; llm_vision: by a model as well.'),
    on_missing_screenshots: z
      .enum(['skip', 'block'])
      .optional()
      .describe('What it does where the Action hands no screenshot over; by default skip, and the page says so.'),
    expectations: expectationsSchema.optional().describe('What the screenshots of every change should show.'),
    ...gate,
  })
    .prefault({})
    .describe('A gate that holds screenshots against what is expected of them and against the brief of the task.'),
  autonomy: z
    .enum(['supervised', 'locked', 'semi', 'full'])
    .optional()
    .describe('How freely agents work here; decides whether findings of medium severity block.'),
  semantic_drift: section({
    enabled: flag(false, 'Warn when an answer drifts away from the criteria.'),
    threshold: share.optional().describe('Similarity below which it counts as drift.'),
  })
    .prefault({})
    .describe('Compares answers with the criteria.'),
})

const perMillion = z.number().min(0).max(10_000)
const price = section({
  input: perMillion.describe('Dollars per million tokens that are read.'),
  output: perMillion.describe('Dollars per million tokens that are written, thoughts included.'),
  cache_write_5m: perMillion.optional().describe('Written into the cache for minutes; 1.25 times `input` by default.'),
  cache_write_1h: perMillion.optional().describe('Written into the cache for an hour; twice `input` by default.'),
  cache_read: perMillion.optional().describe('Read from the cache; as dear as `input` by default.'),
})

/** The keys and their types. What spans several keys is in `policySchema`. */
export const policyShape = section({
  version: z.literal(1).default(1).describe('Version of this format.'),
  mode: z
    .enum(['enforce', 'shadow', 'off'])
    .default('enforce')
    .describe('enforce: gate merges; shadow: judge and comment only; off: do nothing.'),
  comment: z
    .enum(['problems', 'always', 'never'])
    .default('problems')
    .describe(
      'When the comment on a pull request is written: problems: once there is more to say than that it waits or passed; always; never.',
    ),
  merge_requires: z
    .enum(['success', 'completed', 'verified'])
    .default('success')
    .describe('completed: an approval too; verified: an independent confirmation too.'),
  verification: verificationSchema.prefault({}).describe('Checks, the verifier, and attempts.'),
  scope: scopeSchema.prefault({}).describe('What a change may touch.'),
  protected_paths: globs.default(['.github/**']).describe('Paths whose change somebody entitled must acknowledge.'),
  override_policy: overridePolicy.prefault({}).describe('What people may override, and who.'),
  roles: section({
    lead: names.default([]).describe('Logins or org/team; empty means the administrators of the repository.'),
    reviewer: names.default([]).describe('Logins or org/team who review.'),
    verifier: names.default([]).describe('Logins or org/team who confirm.'),
  })
    .prefault({})
    .describe('Who does what.'),
  identities: section({
    agents: names.default([]).describe('Accounts that are coding agents: machines, whatever GitHub calls them.'),
    owners: z
      .record(z.string(), z.string())
      .default({})
      .describe('Which human answers for which bot; it is no second person beside that one.'),
    apps: names.default([]).describe('Apps whose words count as those of the person with whose token they write.'),
    exempt: names.default(['dependabot[bot]', 'renovate[bot]']).describe('Bots whose attempts are not limited.'),
  })
    .prefault({})
    .describe('Agents, and the people behind them.'),
  separation: z
    .enum(['auto', 'triple', 'double', 'solo'])
    .default('auto')
    .describe('How many different parties build, review and confirm; auto looks at the size of the team.'),
  review: section({
    stages: z.array(stage).max(20).default([]).describe('Approvals in this order.'),
    same_person: flag(false, 'One person may approve for several stages.'),
  })
    .prefault({})
    .describe('Human review in stages.'),
  goals: section({
    merge_requires: z
      .enum(['verified', 'completed', 'success'])
      .optional()
      .describe(
        'What tasks of a goal need to merge beyond what the policy asks; by default that somebody else confirms them.',
      ),
    integration_checks: names
      .default([])
      .describe('Checks that must be green on the default branch when a goal is confirmed.'),
    max_tasks: count(1000).optional().describe('How many tasks a goal may have; by default 20.'),
  })
    .prefault({})
    .describe('Goals, the tracking issues above tasks.'),
  intake: section({
    approvers: names
      .default([])
      .describe('Logins or org/team who approve requests, beside the leads; empty: whoever has `min_permission`.'),
    clarification: z
      .enum(['warn', 'off', 'block'])
      .default('warn')
      .describe(
        'What happens to a request or a task without clear acceptance criteria; warn: it is said; block: nobody approves the request, and nothing is judged by the task, before it has some.',
      ),
    task: z
      .enum(['same', 'new'])
      .default('same')
      .describe('same: the issue of an approved request is the task; new: the task gets an issue of its own.'),
    start: z
      .string()
      .max(120)
      .regex(
        /^(?:none|(?:label|assign|mention) \S(?:.*\S)?)$/,
        'must be none, label <name>, assign <login> or mention <login>',
      )
      .default('none')
      .describe(
        'How an agent is told of the task of an approved request: none, label <name>, assign <login>, mention <login>.',
      ),
  })
    .prefault({})
    .describe('Requests, and how they become tasks.'),
  tasks: section({
    reopen_unverified: flag(false, 'Keep the issue of a merged task open until somebody has confirmed it.'),
    reopen_on_regression: flag(false, 'Reopen a task when what it delivered breaks later.'),
  })
    .prefault({})
    .describe('The life of tasks.'),
  park_wait: duration.default(604_800).describe('How long a parked attempt waits for a human.'),
  security: security.prefault({}).describe('Optional gates.'),
  middleware: section({
    verifier: z.array(z.literal('semantic_drift')).default([]).describe('Optional steps around the verifier.'),
    coordination: z.array(z.never()).default([]).describe('Optional steps around tasks; there are none.'),
  })
    .prefault({})
    .describe('Optional steps, in addition to those that always run.'),
  budget: section({
    usd_per_attempt: z.number().min(0).default(0.75).describe('Dollars for models per attempt.'),
    usd_per_task: z.number().min(0).default(5).describe('Dollars for models per task.'),
    calls_per_attempt: count(1000).default(40).describe('Calls of models per attempt.'),
    prices: z
      .record(z.string().min(1), price)
      .default({})
      .describe('What models cost whose price is not known, by name.'),
  })
    .prefault({})
    .describe('What may be spent on models.'),
  rubrics: z.record(z.string(), rubric).default({}).describe('Rubrics of your own, by name.'),
})

/** What the rules take. A file is held to more: it may set nothing that `not-available.ts` lists. */
export const policySchema = policyShape.superRefine((policy, context) => {
  for (const { path, message } of policyRules(policy)) {
    context.addIssue({ code: 'custom', message, path: [...path] })
  }
})

export type Policy = z.output<typeof policySchema>
export type PolicyInput = z.input<typeof policySchema>
export type Verification = Policy['verification']
export type CheckRule = Verification['checks'][number]
export type StageRule = Policy['review']['stages'][number]
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
