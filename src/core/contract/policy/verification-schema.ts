// The `verification` subtree, which the policy and a task's own block share: checks, the verifier, and attempts.
import { z } from 'zod'
import { checks, count, duration, flag, globs, names, section, share } from './schema-parts.ts'

const execution = section({
  mode: z.enum(['parallel', 'sequential']).default('parallel').describe('Run the commands at once or in their order.'),
  max_parallel: count(64).default(4).describe('How many commands may run at the same time.'),
  fail_fast: flag(false, 'Stop the other commands once a required one failed.'),
  isolation: z
    .enum(['shared', 'user', 'job'])
    .default('shared')
    .describe(
      'shared: commands run as the user of the job; user: as one made for them, or not at all; job: each in a job of its own, whose end at GitHub is the result.',
    ),
})

const timeoutRetry = section({
  factor: z.number().min(1).max(10).default(2).describe('Each repetition gets this many times the limit before it.'),
  max: z.number().int().min(0).max(5).default(0).describe('How often a check that ran out of time is repeated.'),
})

const tier1 = section({
  expected_outputs: globs.default([]).describe('Files that must exist after the change.'),
  expected_file_types: names.default([]).describe('File types that the change must contain, such as .md.'),
  allow_empty: globs.default(['**/__init__.py', '**/.gitkeep']).describe('Files that may be empty.'),
  ignore: globs.default([]).describe('Files that the built-in checks leave alone.'),
  sql_dialect: z.string().nullable().default(null).describe('Dialect in which SQL files must parse; null skips them.'),
  weakened_tests: z.enum(['finding', 'fail']).default('finding').describe('What signs of weakened tests lead to.'),
  secrets: z.enum(['fail', 'warn', 'off']).default('fail').describe('What a line that looks like a secret leads to.'),
  secrets_allowed: globs.default([]).describe('Files in which such lines are expected.'),
})

const testSuite = section({
  check: z.string().optional().describe('Name of the check whose recorded result is the verdict.'),
  command: z.string().optional().describe('Command whose exit code is the verdict.'),
  working_dir: z.string().optional().describe('Directory in which the command runs.'),
  timeout: duration.optional().describe('Time limit: seconds, or text such as 10m.'),
})

const verifier = section({
  enabled: z
    .literal(['auto', true, false])
    .default('auto')
    .describe('auto: on where the App has a model; true: never without; false: off.'),
  tier: z
    .literal([1, 2, 3])
    .default(2)
    .describe('1: built-in checks only; 2: one independent model review; 3: a vote of several as well.'),
  votes: z
    .number()
    .int()
    .min(1)
    .max(15)
    .refine((votes) => votes % 2 === 1, 'must be an odd number, so that the votes cannot tie')
    .default(3)
    .describe('How many votes tier 3 takes; an odd number.'),
  votes_models: names.default([]).describe('Models that the votes go to in turn; empty means `model` for all.'),
  kind: z
    .enum(['rubric', 'response_pattern', 'test_suite', 'composite'])
    .default('rubric')
    .describe('How the verdict is reached.'),
  model: z.string().min(1).default('claude-sonnet-5-5').describe('The model that judges.'),
  fallback_model: z.string().nullable().default(null).describe('A second model for when the first refuses to answer.'),
  criteria: z.string().max(20_000).default('').describe('Each bullet is one acceptance criterion of every task.'),
  rubric: z.string().default('default-task').describe('Name of a built-in rubric or of one under `rubrics`.'),
  min_confidence: share
    .nullable()
    .default(null)
    .describe('The least confidence a verdict needs; null: the rubric says.'),
  run_when_checks_fail: flag(true, 'Ask the verifier although a required check failed; its feedback helps.'),
  on_error: z.enum(['retry', 'refer']).default('retry').describe('What happens when the verifier stays unreachable.'),
  require_different_model: z
    .enum(['warn', 'off', 'enforce'])
    .default('warn')
    .describe('Whether the judging model must differ from the one that built the change.'),
  decomposer: z.enum(['llm', 'identity']).default('llm').describe('How criteria become yes/no questions.'),
  max_probes_per_criterion: count(20).default(5).describe('How many questions one criterion may become.'),
  grader: z.enum(['llm', 'heuristic']).default('llm').describe('Who answers the questions.'),
  grader_fallback: z.enum(['none', 'heuristic']).default('none').describe('Who answers when the grader cannot.'),
  hidden_text: z.enum(['refer', 'finding']).default('refer').describe('What invisible text in the change leads to.'),
  hidden_text_allowed: globs.default([]).describe('Files in which invisible characters are expected.'),
  review: z
    .enum(['problems', 'always'])
    .default('problems')
    .describe('When a verdict is written as a review: problems: where it does not pass; always.'),
  finders: z
    .number()
    .int()
    .min(0)
    .max(15)
    .default(5)
    .describe('How many fresh readings look for defects before the questions are asked; 0: none.'),
  lenses: z
    .array(z.enum(['correctness', 'security', 'callers', 'tests', 'task']))
    .max(15)
    .default(['correctness', 'security', 'callers', 'tests', 'task'])
    .describe('What these readings look for, in turn.'),
  finder_model: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'The model that looks for defects and tries to refute them; null: the cheapest one that is listed where `model` is listed, else `model`.',
    ),
  context_tokens: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(16_000)
    .describe('How much of the code around the change is shown, in tokens; 0: none.'),
  unseen_ok: globs
    .default([])
    .describe('Files that may change unread: pictures, archives, submodules. Others go to a human.'),
  evaluator: z
    .string()
    .optional()
    .describe('Name of the check that is an evaluator of your own: kind response_pattern reads what it printed.'),
  pass_pattern: z.string().max(500).optional().describe('Kind response_pattern: what a passing answer matches.'),
  fail_pattern: z.string().max(500).optional().describe('Kind response_pattern: what a failing answer matches.'),
  test_suite: testSuite.optional().describe('Kind test_suite: the check that decides.'),
  all: z
    .array(z.enum(['rubric', 'response_pattern', 'test_suite']))
    .min(1)
    .max(5)
    .optional()
    .describe('Kind composite: the kinds that must all pass.'),
})

const retry = section({
  max_attempts: count(100).default(3).describe('Attempts of a task before it fails; the first one counts.'),
  applies_to: z.enum(['agents', 'everyone']).default('agents').describe('Whose attempts are limited.'),
  include_check_output: flag(true, 'Tell the next attempt what the failed checks printed.'),
  include_verifier_feedback: flag(true, 'Tell the next attempt what the verifier said.'),
  stop_on_no_progress: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('Stop after this many attempts that failed alike; 0 never stops for it.'),
  dispatch: z.enum(['none', 'mention']).default('none').describe('mention: call the agent in a new comment.'),
})

export const verificationSchema = section({
  checks: checks.default([]).describe('Deterministic checks; a bare string is a required command.'),
  execution: execution.prefault({}).describe('How the commands run.'),
  no_checks: z.enum(['warn', 'require_human']).default('warn').describe('What success needs when no check ran.'),
  wait: duration.default(7200).describe('How long to wait for results that never come.'),
  timeout_retry: timeoutRetry.prefault({}).describe('Repeat a check that ran out of time.'),
  tier1: tier1.prefault({}).describe('The built-in checks, which need no command.'),
  verifier: verifier.prefault({}).describe('The independent verifier.'),
  retry: retry.prefault({}).describe('How often a task may be attempted, and what the next attempt is told.'),
})
