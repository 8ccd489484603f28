// The format of policy tests: what is given, what is expected. Documented in docs/testing-a-policy.md with an example that runs.
import { z } from 'zod'
import { rowNames } from '../../../core/decision/decision.ts'
import { permissions } from '../../../core/people/permission.ts'

const share = z.number().min(0).max(1)
const outcome = z.enum(['PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER', 'UNAVAILABLE'])
const gate = z.enum(['PASS', 'PASS_WITH_FINDINGS', 'BLOCK', 'REFER', 'SKIP', 'running'])
const flag = z.boolean().default(false)

const human = z.strictObject({
  act: z.enum([
    'override',
    'approve',
    'reject',
    'ack',
    'retry',
    'confirm',
    'reverify',
    'revoke',
    'review_approved',
    'review_changes_requested',
  ]),
  by: z.string().min(1),
  permission: z.enum(permissions).optional(),
  reason: z.string().default(''),
  check: z.string().optional(),
  verifier: flag,
  builder: flag,
  bot: flag,
  stale: flag,
  teams: z.array(z.string()).default([]),
})
export type HumanGiven = z.output<typeof human>

const given = z.strictObject({
  policy: z.record(z.string(), z.unknown()).default({}),
  author: z.enum(['human', 'agent']).default('human'),
  attempts_used: z.number().int().min(0).max(100).default(0),
  team: z
    .strictObject({
      admin: z.number().int().min(0).default(1),
      maintain: z.number().int().min(0).default(1),
      write: z.number().int().min(0).default(3),
    })
    .prefault({}),
  hard_failed: flag,
  broken: z.enum(['none', 'policy', 'proposal', 'contract', 'invariant']).default('none'),
  waited: flag,
  changed: z.array(z.string().min(1)).default(['src/a.ts']),
  code_owners: z.string().nullable().default(null),
  unseen_teams: z.array(z.string()).default([]),
  addresses: z.record(z.string(), z.string()).default({}),
  tier1: z.enum(['passed', 'failed', 'running']).default('passed'),
  checks: z.record(z.string(), z.enum(['passed', 'failed', 'timed_out', 'missing', 'running'])).default({}),
  verdict: z
    .union([
      outcome,
      z.enum(['running', 'none']),
      z.strictObject({
        outcome,
        confidence: share.nullable().default(null),
        retry_scheduled: flag,
        votes: z.strictObject({ pass: z.number().int().min(0), valid: z.number().int().min(1) }).optional(),
      }),
    ])
    .default('running'),
  gates: z.strictObject({ red_team: gate.optional(), vision: gate.optional() }).default({}),
  ahead: z.array(z.number().int().min(1)).max(10).default([]),
  humans: z.array(human).max(100).default([]),
})
export type Given = z.output<typeof given>

const texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const expected = z
  .strictObject({
    status: z.enum(['pending', 'success', 'retry', 'failed', 'refer']).optional(),
    by: z
      .enum([
        'human',
        'policy',
        'attempts',
        'scope',
        'tier1',
        'checks',
        'verifier',
        'review',
        'red_team',
        'vision',
        'verification',
      ])
      .nullable()
      .optional(),
    row: z.enum(rowNames).optional(),
    reason: z.string().optional(),
    warnings: texts.optional(),
    refused: z.number().int().min(0).optional(),
  })
  .refine(
    (value) => Object.keys(value).length > 0,
    'a case that expects nothing cannot fail: name at least one of status, by, row, reason, warnings, refused',
  )
export type Expected = z.output<typeof expected>

export const caseFile = z.strictObject({
  policy: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  cases: z
    .array(z.strictObject({ name: z.string().min(1), given: given.prefault({}), expect: expected }))
    .min(1, 'the file holds no case'),
})
export type PolicyCase = z.output<typeof caseFile>['cases'][number]
