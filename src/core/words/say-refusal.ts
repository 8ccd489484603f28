// Why somebody did not get what they asked for, and who would. What others wrote stands in it as code or inert.
import type { Refusal, RefusalWhy } from '../decision/record/refusal.ts'
import { neutralLine } from './text/neutral.ts'
import { codeSpan } from './text/untrusted.ts'

const DETAIL_MAX = 400
const NAME_MAX = 120

const refusals = {
  bot: () => 'a machine account cannot do this',
  permission: (needs) => `this takes ${neutralLine(needs ?? 'more', NAME_MAX)} permission`,
  builder: () => 'you made part of this change, so somebody else must judge it',
  approver: () => 'you approved this change, so somebody else must confirm it',
  head_moved: (sha) =>
    `the head or its base has moved since you wrote: add ${codeSpan(`--sha ${sha?.slice(0, 12) ?? ''}`)} if you mean this commit`,
  reason_missing: () => 'a reason is missing: write it behind the command',
  forbidden_by_policy: (key) => `the policy does not allow it (${codeSpan(key ?? '')})`,
  not_in_role: (role) => `you are not in ${codeSpan(role ?? '')}`,
  unknown_check: (name) => `there is no check named ${codeSpan(name ?? '')}`,
  nothing_to_override: () =>
    'nothing that an override covers has failed; name a check or `--verifier` to override it in advance',
  nothing_to_acknowledge: () => 'nothing here waits to be acknowledged',
  nothing_to_take_back: () => 'you have done nothing to this commit that still stands',
  nothing_to_complete: () => 'there is no label of yours that waits for a reason on this commit',
  not_builder: () => 'what was taken for granted is said by who made the change',
  assumption_missing: () => 'say what you took for granted: `/assume <what>`, or a list below it',
  nobody_named: (name) => `GitHub knows nobody called ${codeSpan(name ?? '')}`,
  same_evidence: () => 'the AI review is not made twice of the same evidence: it stands',
  verifier_off: () => 'there is no AI review here',
  through_app: (app) =>
    `the App \`${app ?? ''}\` wrote this with a person’s token, and \`identities.apps\` does not list it`,
  not_its_author: (who) =>
    `only ${who ?? 'its author'}, or somebody of higher permission who made no part of this change, takes that back`,
  no_attempt: () => 'this is not an open, ready pull request',
  undeclared_transition: (move) => `it cannot go from ${neutralLine(move ?? '', NAME_MAX)}`,
  blocked: (names) => `these have to be verified first: ${neutralLine(names ?? '', DETAIL_MAX)}`,
  own_request: () => 'you asked for it yourself, so somebody else must approve it',
  request_unclear: (what) => neutralLine(what ?? '', DETAIL_MAX),
  request_edited: () => 'its text was changed since you wrote: read it again, and say so again',
  question_missing: () => 'write the question: `/request ask <question>`',
  awaits_lead: () =>
    'it was sent back twice, so a lead decides first: `/task reassign @login`, `/task split` or `/task accept <reason>`',
  not_escalated: () => 'it was not sent back twice, so there is nothing for a lead to decide',
  parts_missing: () => 'name the parts, each as a line of a list below the command',
  no_task_named: () => 'name the issue, as in `/goal link #12`',
  goals_do_not_nest: (name) => `${name ?? 'this'} is a goal, and goals have no goals in them`,
  not_linked: (name) => `${name ?? 'this'} is no task of this goal`,
  too_many_tasks: (most) => `a goal has at most ${most ?? 'so many'} tasks (\`goals.max_tasks\`): split it`,
  notes_missing: () => 'say what was tried and what came of it: `/goal verify <notes>`',
  integration_not_green: (names) =>
    `not green on the default branch: ${neutralLine(names ?? '')} (\`goals.integration_checks\`)`,
  overtaken: () => 'more has come since you wrote, and that changed what it is about: look again, and say so again',
  merged_it: () => 'you merged it, so somebody else must confirm it',
  not_merged: () => 'its pull request was closed without being merged',
  completed_elsewhere: () => 'another pull request completed the task, and this one is not that far: confirm it there',
} as const satisfies Record<RefusalWhy, (detail: string | null) => string>

export function sayRefusal({ why, detail, who_may }: Pick<Refusal, 'why' | 'detail' | 'who_may'>): string {
  const label = why === 'unknown_check' ? 'There are' : 'Who may:'
  const some = who_may.slice(0, NAMED_MAX).map((who) => neutralLine(who, NAME_MAX))
  const more = who_may.length > some.length ? ` and ${who_may.length - some.length} more` : ''
  return `Refused: ${refusals[why](detail)}.${some.length > 0 ? ` ${label} ${some.join(', ')}${more}.` : ''}`
}
const NAMED_MAX = 20
