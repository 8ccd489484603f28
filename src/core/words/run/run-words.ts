// What the Action says, in the log, beside the files and on the summary page, where no decision of the App stands yet.
import type { CheckOutcome } from '../../decision/results/results-file.ts'
import { codeSpan } from '../text/untrusted.ts'

type Ended = Pick<CheckOutcome, 'name' | 'passed' | 'exit_code' | 'error_code' | 'required'>

/** Continues a sentence that begins with the name of the check. */
export function endingWords({ passed, exit_code, error_code }: Ended): string {
  if (passed) return 'passed'
  if (error_code === 'VERIFICATION_TIMEOUT') return 'timed out'
  return exit_code < 0 ? 'was not started' : `failed with exit code ${exit_code}`
}

/** `tier1Passed`: null where a job ran one check alone. */
export function verdictWords(checks: readonly Ended[], tier1Passed: boolean | null): string {
  if (tier1Passed === null) return checks.map((check) => `${codeSpan(check.name)} ${endingWords(check)}`).join('; ')
  const failed = checks.filter(({ passed, required }) => !passed && required)
  const required = checks.filter((check) => check.required).length
  const parts = [
    ...(tier1Passed ? [] : ['a built-in check failed']),
    ...failed.slice(0, NAMED_MAX).map((check) => `${codeSpan(check.name)} ${endingWords(check)}`),
    ...(failed.length > NAMED_MAX ? [`${failed.length - NAMED_MAX} more failed`] : []),
  ]
  if (parts.length > 0) return parts.join('; ')
  if (checks.length === 0) return 'the built-in checks passed, and no other ran'
  return required === 0
    ? 'the built-in checks passed, and no other is required'
    : `the built-in checks and ${required === 1 ? 'the one required check' : `all ${required} required checks`} passed`
}
const NAMED_MAX = 5

const saidProblems = (count: number): string => (count === 1 ? 'one problem' : `${count} problems`)

export const runWords = {
  wrongEvent: (event: string) =>
    event === 'pull_request_target'
      ? 'Countersign does not run on pull_request_target, which would hand the secrets of this repository to the code of a pull request. Use `on: pull_request` and `merge_group`.'
      : `Countersign judges pull requests, so it runs \`on: pull_request\` and \`merge_group\`, not on ${event}.`,
  noCheckout: 'There is no checkout here. Add `- uses: actions/checkout` before this step.',
  otherCheckout: (here: string, head: string) =>
    `The checkout is ${here}, which is neither ${head}, the head to be judged, nor a merge of it. Let actions/checkout choose the commit.`,
  mergeCheckout: (here: string, head: string, base: string) =>
    `The checks ran on ${here.slice(0, 7)}, the merge of ${head.slice(0, 7)} into \`${base}\`, as actions/checkout does it by default.`,
  noPolicy: (branch: string) =>
    `There is no policy on \`${branch}\` yet, so nothing was judged. To begin, add .github/countersign.yml to it, with \`version: 1\` and below it \`verification: { checks: [npm test] }\`. A policy governs once it is on the base branch; a pull request that adds the first one is judged by it already, unless this workflow is one of another repository.`,
  proposed: (branch: string, mode: string | null) =>
    `\`${branch}\` has no policy yet, so this ran by the one that the pull request proposes${mode === null ? '' : `, as if it said \`mode: enforce\` and not \`${mode}\``}. Nobody has to have agreed to it for this job: read it before you merge.`,
  proposalInvalid: (branch: string, problems: number) =>
    `\`${branch}\` has no policy yet, and the one that this pull request proposes is invalid (${saidProblems(problems)}), so nothing was judged. Correct it there; \`countersign validate\` shows the same problems.`,
  policyInvalid: (branch: string, problems: number) =>
    `The policy on \`${branch}\` is invalid (${saidProblems(problems)}), so nothing was judged. Correct it there; \`countersign validate\` shows the same problems.`,
  blockUnreadable:
    'The block in which the task states what it asks cannot be read, so nothing was judged. Correct it where it stands, then run the job again.',
  issuesUnseen:
    'The issues that this pull request may close could not be read, so checks that a block in one of them adds did not run. In a private repository the job needs `permissions: { contents: read, issues: read, pull-requests: read }` for that.',
  notVouchedFor: (issue: string, checks: readonly string[]) =>
    `${issue} asks for ${checks.map(codeSpan).join(', ')}, which did not run: a check is a command, and whoever wrote the issue last may not write to this repository. Somebody who may can read that command and edit the issue.`,
  switchedOff: (branch: string) => `The policy on \`${branch}\` says \`mode: off\`, so nothing was judged.`,
  shadow: (words: string) => `The policy says \`mode: shadow\`, so this does not fail. It would have: ${words}.`,
  passed: (words: string) => `Countersign: ${words}.`,
  failed: (words: string) => `Countersign: ${words}.`,
  ownTrouble: (why: string) =>
    `Countersign could not do its work. This says nothing about the change; run the job again. ${why}`,
  notHandedOver: (why: string) =>
    `The results could not be uploaded, so the App does not see this run; run the job again where you use the App. What this job says of the change stands. ${why}`,
  noOtherUser: (why: string) =>
    `The policy says \`isolation: user\`, and this runner cannot run checks as another user, so nothing was judged: ${why}. It takes Linux with root, or with sudo that asks for no password.`,
  notOneCheck: (check: string, branch: string, isolation: string) =>
    `This job is to run ${codeSpan(check)} alone, and the policy on ${codeSpan(branch)} says \`isolation: ${isolation}\`, by which one job runs all checks: nothing was judged. Take \`check\` away from the step, or write \`verification.execution.isolation: job\` into the policy.`,
  unknownCheck: (check: string, known: readonly string[]) =>
    `This job is to run ${codeSpan(check)} alone, and the policy has no command of that name, so nothing was judged. ${known.length === 0 ? 'It has none at all.' : `There are ${known.map(codeSpan).join(', ')}.`} \`countersign workflow\` prints a workflow that fits the policy.`,
  checksInJobs:
    'The built-in checks alone were run here: the policy says `isolation: job`, so each check has a job of its own.',
  stillRunning: (count: number) =>
    `The checks left ${count === 1 ? 'a process that' : `${count} processes that`} could not be ended, and what it could still change cannot be believed.`,
  enterpriseServer:
    'This GitHub Enterprise Server does not take artifacts from current clients, so the App cannot read this run. Let it adopt this job as a check instead: `check_run:` with `app: github-actions`. What this job says of the change stands.',
  changedByChecks: (names: string) =>
    `The checks changed files of the checkout, so later ones may have seen other files than the commit has: ${names}.`,
  filesFromApi: (why: string) =>
    `The list of changed files comes from GitHub and not from git, since git could not fetch what it needs: ${why}`,
  toolCallsUnread: (why: string) => `The log of tool calls could not be read: ${why}`,
  screenshotsLeftOut: (count: number) => `${count} screenshots were left out: too many, too large or no image files.`,
  differencesUnseen:
    'What differs from earlier screenshots was not drawn: in a private repository the job needs `permissions: { contents: read, actions: read, pull-requests: read }` for that.',
  differencesUndrawn: (why: string) => `What differs from earlier screenshots was not drawn: ${why}`,
  differencesLeftOut: (count: number) =>
    `Of what differs from earlier screenshots ${count === 1 ? 'one picture was' : `${count} pictures were`} left out: all together would be too large, or take too long to draw.`,
  outputsShortened: 'The outputs were shortened once more, since all results together were too large.',
} as const
