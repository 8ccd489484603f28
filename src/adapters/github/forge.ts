// One repository on GitHub: reads what the engine asks for, and shows what it concluded.
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Forge, LastLook } from '../../ports.ts'
import { botOf, type Access } from './access.ts'
import { actionResults } from './results/action-runs.ts'
import { approverOf } from './results/approved-run.ts'
import { adoptedResults } from './results/adopted.ts'
import { mergedInto, picturesOf } from './results/pictures.ts'
import { runWitness } from './results/adopted-run.ts'
import { basesOf } from './results/base-moves.ts'
import { runsOfJobs } from './results/runs.ts'
import { strangers, type Proved } from './results/whose-run.ts'
import { briefByGraphql, briefByRest } from './pulls/brief.ts'
import { announced } from './show/announced.ts'
import { react, removeLabel, reply } from './show/comment.ts'
import { pullsBehind, runAttempt } from './pulls/deployments.ts'
import { changeOf, declaredModels } from './files/evidence.ts'
import { runsOn, standingRun } from './show/standing-runs.ts'
import { foundPlaces } from './show/found.ts'
import { defineLabels } from './show/labels.ts'
import { nodeIds } from './show/node-ids.ts'
import { pageOf } from './show/page.ts'
import { show } from './show/show.ts'
import { vouched } from './show/vouched.ts'
import { protectionBy, requiredChecks } from './pulls/branches.ts'
import { pullsMergedInto } from './pulls/group-commits.ts'
import { census, personNow } from './people/collaborators.ts'
import { baseMerges } from './pulls/base-merges.ts'
import { codeOwnersOf, reviewerCalled } from './files/code-owners.ts'
import { changedFiles } from './files/files.ts'
import { organisationPolicy, policyAt, policyTexts } from './files/policy-file.ts'
import { labelledBy, saidAt } from './issues/issue-history.ts'
import { issueText, nowOf, openPulls, stateOf } from './pulls/pulls.ts'
import { orGone } from './status.ts'
import { broughtBy } from './pulls/brought-by.ts'
import { blockedBy } from './issues/dependencies.ts'
import { goalBoard } from './issues/goals.ts'
import { requestBoard } from './issues/requests.ts'
import { pushersOf } from './people/pushers.ts'
import { lookedByGraphql, lookedByRest } from './pulls/last-look.ts'
import { saidSince } from './people/said.ts'
import { snapshotOf } from './snapshot/snapshot.ts'
import { aSwitch, byEither } from './switch.ts'
import { remembered, rememberedBy } from './remembered.ts'
import { actionWorkflows } from './results/workflows.ts'

/** Whether somebody is alone is asked of it. */
const CENSUS_MS = 60_000
const RULES_MS = 60_000
const ORGANISATION_MS = 5 * 60_000
/** A GraphQL that does not answer is not asked each time. */
const AWAY_MS = 60_000
/** Nor is one that changes nothing. */
const REST_MS = 10 * 60_000

export function githubForge(access: Access): Forge {
  const { now } = access
  const roster = remembered(now, CENSUS_MS, () => census(access))
  const organisation = remembered(now, ORGANISATION_MS, () => organisationPolicy(access))
  const found = foundPlaces(now, access.losses)
  const ids = nodeIds()
  const graphql = aSwitch(now, AWAY_MS)
  const mutations = aSwitch(now, REST_MS)
  const page = pageOf(access, {
    found,
    ids,
    graphql: { isOff: () => graphql.isOff() || mutations.isOff(), switchOff: mutations.switchOff },
    // What is not made here is made by being set, without colour and description.
    define: remembered(now, REST_MS, async () => defineLabels(access, ids).catch(() => undefined)),
  })
  const mergesOnly = baseMerges(access)
  const rulesOf = rememberedBy(now, RULES_MS, (branch: string) => requiredChecks(access, branch))
  const workflowsOf = rememberedBy(now, RULES_MS, (branch: string) => actionWorkflows(access, branch))
  const called = rememberedBy(now, RULES_MS, (name: string) => reviewerCalled(access, name))
  const runOfJob = runsOfJobs(access)
  const proved: Proved = new Set()
  const announcements = announced(access, ids)
  return {
    self: botOf(access),
    show: (shown, ref) => {
      if (shown.kind !== 'check_run') return show(access, shown, ref, { roster, page, ids })
      announcements.forget(shown)
      return vouched(access, shown.sha, () => show(access, shown, ref, { roster, page, ids }))
    },
    announce: (sha, name) => announcements.announce({ sha, name }),
    runs: (sha) => runsOn(access, sha),
    now: (pull) => nowOf(access, pull),
    kindOf: async (pull) => (await orGone(stateOf(access, pull)))?.kind ?? null,
    lastLook: async (pull, issue) =>
      byEither<LastLook>(
        graphql,
        async () => page.reading(pull, () => lookedByGraphql(access, ids, pull, issue)),
        async () => lookedByRest(access, pull),
      ),
    policyCopy: async ({ head_sha }) => policyAt(access, head_sha),
    codeOwners: (branch) => codeOwnersOf(access, branch),
    reviewerCalled: (name) => called(name),
    changedFiles: (attempt) => changedFiles(access, attempt),
    results: async (attempt, told = []) => {
      const bases = basesOf(access)
      const stranger = strangers(access, proved, bases)
      const [ran, adopted] = await Promise.all([
        actionResults(access, attempt, workflowsOf, stranger, told),
        adoptedResults(access, attempt, runWitness(runOfJob, stranger, bases), bases, told),
      ])
      return together([...ran, ...adopted])
    },
    brief: async (heard, { anew = false } = {}) => {
      const byRest = async () => briefByRest(access, heard, organisation, mergesOnly)
      const byGraphql = async () => briefByGraphql(access, ids, heard, organisation, mergesOnly)
      const { brief, found: there } = await (anew ? byRest() : byEither(graphql, byGraphql, byRest))
      found.note(heard.pull, there)
      return brief
    },
    pushers: (facts) => pushersOf(access, facts),
    movedAt: async (pull) => (await basesOf(access).moves(pull)).toSorted().at(-1) ?? null,
    change: (attempt) => changeOf(access, attempt),
    snapshot: (attempt, files) => snapshotOf(access, attempt, files),
    screenshots: {
      fetch: (wanted) => picturesOf(access, wanted),
      mergedInto: (branch) => mergedInto(access, branch),
    },
    declaredModels: (pull) => declaredModels(access, pull),
    saidSince: (where, since) => saidSince(access, where, since),
    stateOf: (pull) => stateOf(access, pull),
    openPulls: () => openPulls(access),
    issue: (number) => issueText(access, number),
    pullsAhead: (branch, head) => pullsMergedInto(access, branch, head),
    policy: (branch) => policyTexts(access, branch, organisation),
    requires: async (branch, check) => (await rulesOf(branch))?.some(({ context }) => context === check) ?? null,
    stands: (sha, name) => standingRun(access, sha, name),
    // Only said, never decided by: an attempt does not wait for it.
    protects: async (branch, check) => protectionBy(await rulesOf(branch).catch(() => null), check, access.app),
    pullsBehind: (sha) => pullsBehind(access, sha),
    runAttempt: (run) => runAttempt(access, run),
    approverOf: (attempt, run) => approverOf(access, attempt, run, strangers(access, proved)),
    broughtBy: (sha, of) => broughtBy(access, sha, of),
    blockedBy: (issue) => blockedBy(access, issue),
    labelledBy: (issue, label, change) => labelledBy(access, issue, label, change),
    saidAt: (issue, since) => saidAt(access, issue, since),
    goals: goalBoard(access),
    requests: requestBoard(access),
    census: roster,
    person: (who, teams) => personNow(access, who, teams),
    reply: (pull, body) => reply(access, pull, body),
    react: (comment, content) => react(access, comment, content),
    removeLabel: (pull, name) => removeLabel(access, pull, name),
  }
}

/** Where much is not believed, some of it says why; the same each time, so that nothing moves for it. */
const REFUSED_MAX = 4

/** What stands in the way of one source stands in the way of the attempt. */
function together(inputs: readonly Input[]): readonly Input[] {
  const obstacles = inputs.filter((input) => input.type === 'report_obstacle')
  const standing = obstacles.find(({ obstacle }) => obstacle !== null) ?? obstacles[0]
  const refused = inputs.filter(({ type }) => type === 'refuse_result').slice(0, REFUSED_MAX)
  const rest = inputs.filter(({ type }) => type !== 'report_obstacle' && type !== 'refuse_result')
  return [...(standing === undefined ? [] : [standing]), ...rest, ...refused]
}
