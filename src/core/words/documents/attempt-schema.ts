// `countersign/attempt@1`: what there is to know about one attempt, as one document for programs. The same document stands in
// the comment, and is given by the command line, the App and MCP; the Action alone knows a part of it, and says so with null.
import { z } from 'zod'
import { jsonSchemaOf, schemaText } from '../../contract/policy/json-schema.ts'
import { rowNames } from '../../decision/decision.ts'

export const ATTEMPT_SCHEMA = 'countersign/attempt@1'

const text = z.string()
const count = z.int().min(0)
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape)

export const documentStatuses = ['pending', 'success', 'retry', 'failed', 'refer'] as const

const sentence = object({
  code: text.describe('For programs to choose by.'),
  subject: text.nullable().describe('What it is about, such as the name of a check.'),
  text: text.describe('The same as a sentence.'),
})
const place = { path: text, line: z.int().min(0) }

const check = object({
  name: text,
  state: z.enum(['waiting', 'running', 'passed', 'failed', 'timed_out', 'missing', 'left_out']),
  required: z.boolean().describe('One that is not required only informs.'),
  exit_code: z.int().nullable().describe('Null while it has none; 124 where it ran out of time.'),
  problems: z
    .array(object({ ...place, level: z.enum(['error', 'warning']), message: text }))
    .describe('What its output says of places in the repository.'),
  output: text.describe('The end of its output, where it failed.'),
  link: text.nullable().describe('Where GitHub shows the run, as a path at its address.'),
})

const finding = object({
  id: text.describe('The same from push to push.'),
  ...place,
  quote: text.describe('The lines that it is about, as they stand in the change.'),
  claim: text,
  scenario: text.describe('How it goes wrong.'),
  fix: text,
  level: z.enum(['blocking', 'question']),
  proven: z.boolean().describe('Whether its quote was found again in the change.'),
})

export const taskStatuses = ['pending', 'assigned', 'in_progress', 'review', 'completed', 'verified'] as const

export const attemptSchema = object({
  schema: z.literal(ATTEMPT_SCHEMA),
  source: z
    .enum(['app', 'action'])
    .describe(
      'app: the whole; action: one run of the Action, which knows nothing of people, of the verifier and of other runs.',
    ),
  repository: text,
  pull: count.nullable().describe('Null for what the merge queue made.'),
  task: text
    .nullable()
    .describe('`owner/repo#n`: the issue that is closed, or the pull request itself. Null from the Action.'),
  task_status: z
    .enum(taskStatuses)
    .nullable()
    .describe('Where the task stands: a ready pull request is in review by itself. Null from the Action.'),
  head_sha: text,
  base_ref: text,
  status: z
    .enum(documentStatuses)
    .nullable()
    .describe('What the gate decided. Null from the Action, which decides nothing.'),
  row: z.enum(rowNames).nullable().describe('The row of the decision table that decided.'),
  decided_by: text.nullable().describe('The authority that decided.'),
  enforced: z.boolean().describe('False in shadow mode, where nothing is blocked.'),
  live: z.boolean().nullable().describe('Whether this commit is the head of an open pull request.'),
  headline: text.describe('The decision in one sentence.'),
  reasons: z.array(sentence),
  warnings: z.array(sentence),
  attempt: object({
    number: z.int().min(1).describe('Counted since the last `/retry`.'),
    max: z.int().min(1).nullable().describe('How many there are, where a limit binds this one; else null.'),
    text,
  })
    .nullable()
    .describe('Null where attempts are not what is counted, and from the Action.'),
  next: z
    .enum(['counted', 'unlimited', 'to_be_granted', 'not_yet', 'elsewhere', 'unknown'])
    .describe(
      'What is true of the attempt to come: a number binds it or none does, a human must grant it, this one is not over, or this commit is no longer judged.',
    ),
  may_push: object({ allowed: z.boolean().nullable(), why: text }).describe(
    'Whether a push is what helps now. Null where only the App could tell.',
  ),
  waiting_for: object({
    from: z.enum(['machine', 'builder', 'people', 'nobody']).nullable(),
    what: z.array(text),
  }).describe('From whom the next step has to come, and which.'),
  unblock: z
    .array(object({ who: text, words: text }))
    .describe('Who can change the decision, and with which words. An agent says none of them: they are for people.'),
  do_not: z.array(text),
  failed: z
    .array(text)
    .describe(
      'What stopped it, by name: `check:<name>`, `tier1:<name>`, `probe:<id>`, `finding:<id>`, `scope:<path>`.',
    ),
  checks: z.array(check),
  tier1: object({
    state: z.enum(['waiting', 'passed', 'failed']),
    failures: z.array(object({ name: text, detail: text })),
    findings: z.array(object({ ...place, severity: z.enum(['HIGH', 'MEDIUM', 'LOW', 'INFO']), message: text })),
    unseen: z.array(text).describe('What nobody could look at.'),
  })
    .nullable()
    .describe('The built-in checks. Null where a run did one check alone.'),
  scope: object({
    violations: z.array(object({ path: text, why: z.enum(['outside_write', 'denied']) })),
    allowed: z.array(text),
    denied: z.array(text),
  })
    .nullable()
    .describe('Where the change leaves its scope; null where it does not, and from the Action.'),
  verifier: object({
    state: z.enum(['off', 'waiting', 'reading', 'answered', 'unavailable']),
    outcome: z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER']).nullable(),
    confidence: z.number().nullable(),
    feedback: text.nullable().describe('Advice, which may be wrong: a check or the task goes before it.'),
    findings: z.array(finding),
    unmet: z.array(object({ id: text, question: text, answer: text, why: text })),
  })
    .nullable()
    .describe('Null from the Action.'),
  gates: z.array(
    object({
      gate: text,
      verdict: text,
      summary: text,
      findings: z
        .array(
          object({
            path: text,
            line: z.number(),
            severity: text,
            surface: text,
            claim: text,
            scenario: text.describe('Which input or sequence leads where.'),
            fix: text,
          }),
        )
        .optional()
        .describe('What it showed; missing where it showed nothing.'),
    }),
  ),
  stages: z
    .array(
      object({
        name: text,
        state: z.enum(['filled', 'waiting', 'later', 'unread', 'trouble', 'left_out']),
        by: z.array(text).describe('Who has approved for it.'),
        asks: z
          .array(z.array(text))
          .describe('Somebody of each of these is still to approve; an empty one is anybody.'),
      }),
    )
    .nullable()
    .describe(
      'The stages of the review by people, the one whose turn it is before those that come later. Null from the Action.',
    ),
  people: z
    .array(object({ who: text, did: text, reason: text, stands: z.boolean() }))
    .nullable()
    .describe('What humans decided and said about this commit. Null from the Action.'),
  history: object({
    attempts: z.array(
      object({ number: count, outcome: text, failed: z.array(text), verifier: text.nullable(), change: text }),
    ),
    patterns: z.array(text).describe('What has failed the same way before.'),
  })
    .nullable()
    .describe('Earlier failed attempts at the task, the newest last. Null from the Action.'),
  change: text.describe('The change that was judged, where it failed.'),
  budget: object({
    attempts_left: count.nullable().describe('Null where no limit binds.'),
    verifier_usd: object({ spent: z.number(), per_task: z.number() }).nullable(),
  })
    .nullable()
    .describe('What is left. Null from the Action.'),
  truncated: z.array(text).describe('The fields that do not show everything.'),
})

/** As JSON Schema, for whoever reads it in another language. */
export function attemptSchemaText(): string {
  const { $schema, ...rest } = jsonSchemaOf(attemptSchema)
  const title = 'Countersign attempt'
  const description = `What there is to know about one attempt: \`${ATTEMPT_SCHEMA}\`.`
  return schemaText({ ...($schema === undefined ? {} : { $schema }), title, description, ...rest })
}

export type AttemptDocument = z.output<typeof attemptSchema>
