// A labelled set: changes of which it is known whether the verifier should let them pass. Each is a task, a patch and,
// for runs without a model, the answers that one could give. What would make the figures lie is a flaw of the set.
import { z } from 'zod'
import { makeContract, type ContractReading } from '../../core/contract/task/make-contract.ts'
import { policySchema, type Policy } from '../../core/contract/policy/policy.ts'
import type { RuleBroken } from '../../core/contract/policy/rule-broken.ts'
import { scopeViolations } from '../../core/contract/scope.ts'
import { changedIn, hunksOf, type Change, type FileChange } from '../../verifier/change/change.ts'
import { noUsage, type Model, type ModelRequest } from '../../verifier/calls/model.ts'
import { kinds, needs } from './set/story.ts'
import { controlled, promptSeen } from './doubles/prompt-seen.ts'

export const CASES_MAX = 1000

const fileShape = z.strictObject({
  path: z.string().min(1),
  status: z.enum(['added', 'modified', 'removed', 'renamed']).default('modified'),
  patch: z.string(),
})
const caseShape = z.strictObject({
  name: z.string().min(1),
  /** What it is an example of. */
  kind: z.enum(kinds).optional(),
  language: z.string().min(1).optional(),
  /** How far one has to look to see what is wrong. */
  need: z.enum(needs).optional(),
  /** Where it is wrong. */
  defect: z.strictObject({ path: z.string().min(1), line: z.number().int().min(1) }).optional(),
  label: z.enum(['accept', 'reject', 'human']),
  issue: z.string(),
  scope: z.array(z.string()).default(['**']),
  stakes: z.enum(['low', 'medium', 'high', 'critical']).default('medium'),
  checks: z.record(z.string(), z.strictObject({ passed: z.boolean(), output: z.string() })).default({}),
  files: z.array(fileShape),
  /** The files of the repository with the change made, as far as the case has any. */
  repository: z.record(z.string().min(1), z.string()).optional(),
  /** Answers on file, in the order of the calls; the last one stands for all that follow. */
  answers: z.array(z.looseObject({})).default([]),
})
export const evalSet = z.strictObject({ cases: z.array(caseShape).min(1).max(CASES_MAX) })
export type EvalCase = z.output<typeof caseShape>

/** The criteria are asked as they stand and of nobody else, so that answers on file fit. */
export const plainPolicy = policySchema.parse({
  verification: { verifier: { decomposer: 'identity', finders: 0, require_different_model: 'off' } },
})

export const taskOf = ({ name, issue }: EvalCase, policy: Policy): ContractReading =>
  makeContract({ task_id: 'eval/set#1', title: name, body: issue, policy, blocks: [] })

export function changeOf({ files }: EvalCase): Change {
  const changed = files.map(({ path, status, patch }): FileChange => {
    const lines = hunksOf(patch).flatMap((hunk) => hunk.lines)
    const count = (wanted: '+' | '-'): number => lines.filter(({ sign }) => sign === wanted).length
    const plain = {
      previous_path: null,
      content: 'text',
      size: null,
      blob_sha: null,
      mode: null,
      generated_at_base: false,
    } as const
    return { path, status, patch, additions: count('+'), deletions: count('-'), ...plain }
  })
  return { files: changed, complete: true, hits: [] }
}

/** What stops a case before the verifier is asked about it. */
export function stopOf(one: EvalCase): 'tier1' | 'scope' | null {
  const { files } = changeOf(one)
  if (files.length === 0) return 'tier1'
  return scopeViolations(files, [{ write: one.scope, deny: [] }]).length > 0 ? 'scope' : null
}

const listed = z.object({ cases: z.array(z.unknown()) })
const named = z.object({ name: z.string() })

/** What the types of a set do not say. `recorded`: whether its own answers are to be judged. */
export function setRules(set: unknown, recorded: boolean): RuleBroken[] {
  const names = new Set<string>()
  return (listed.safeParse(set).data?.cases ?? []).flatMap((item, index) => {
    const name = named.safeParse(item).data?.name ?? ''
    const one = caseShape.safeParse(item).data
    const broken = one === undefined ? [] : caseRules(one, recorded)
    const known = name !== '' && names.has(name)
    names.add(name)
    // Repetitions of a case are found by its name.
    const again = { path: ['name'], message: 'is the name of an earlier case too' }
    return [...(known ? [again] : []), ...broken].map(({ path, message }) => {
      return { path: ['cases', index, ...path], message, nearest: null }
    })
  })
}

type CaseFlaw = Pick<RuleBroken, 'path' | 'message'>

function caseRules(one: EvalCase, recorded: boolean): CaseFlaw[] {
  const reading = taskOf(one, plainPolicy)
  const task = 'unreadable' in reading ? reading.unreadable : []
  const silent = recorded && one.answers.length === 0 && stopOf(one) === null
  return [
    ...task.map(({ message }) => ({
      path: ['issue'],
      message: `cannot be read as a task: ${message.replace(/\.$/, '')}`,
    })),
    ...one.files.flatMap((file, index) => {
      const message = patchFlaw(file)
      return message === null ? [] : [{ path: ['files', index, 'patch'], message }]
    }),
    ...(silent ? [{ path: ['answers'], message: 'must hold an answer for a run that asks no model' }] : []),
  ]
}

/** Lines that no hunk counts are read by nobody, and a patch written by hand is easily miscounted. */
function patchFlaw({ status, patch }: EvalCase['files'][number]): string | null {
  const hunks = hunksOf(patch)
  const [first] = hunks
  if (first === undefined)
    return status === 'renamed' ? null : 'must have a hunk, such as `@@ -1,3 +1,4 @@` and its lines'
  const body = patch.slice(patch.indexOf(first.head)).split('\n')
  const left = body.filter((line) => /^[-+]/.test(line)).length - changedIn(hunks)
  if (left === 0) return null
  return `has ${left === 1 ? 'a changed line' : `${left} changed lines`} that no hunk counts: correct the numbers after \`@@\``
}

/** The nonce that answers on file carry, since nobody could know a fresh one. */
export const recordedNonce = 'recorded'

/** Whoever wrote an answer on file has read the case, and could not know which lines are asked for. */
function withControl(said: EvalCase['answers'][number], request: ModelRequest): object {
  const { probes, copied } = controlled(promptSeen(request))
  return { copied, ...said, probes: [...(Array.isArray(said['probes']) ? said['probes'] : []), ...probes] }
}

/** Answers on file, as if a model gave them; they cost nothing, and say nothing about any model. */
export function recordedModel({ name, answers }: EvalCase): Model {
  let call = 0
  return {
    describe: async () => 'unknown',
    ask: async (request, _signal, begun) => {
      begun?.()
      const { model } = request
      const said = answers[Math.min(call, answers.length - 1)]
      call += 1
      if (said === undefined) throw new Error(`The case ${name} has no answer on file`)
      return {
        kind: 'answered',
        text: JSON.stringify(withControl(said, request)),
        usage: noUsage,
        request_id: null,
        model,
        ms: 0,
        first_ms: 0,
      }
    },
  }
}
