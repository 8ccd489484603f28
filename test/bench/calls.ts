// What each kind of event costs in calls to GitHub: cold, as the first thing after a start, and warm, as the second of
// its kind.
import { aShop, isWrite, type Lab, type Shop, type Watched } from './lab.ts'
import type { Row } from './row.ts'

type Pull = { readonly number: number; readonly branch: string; readonly sha: string }
type Kind = {
  readonly name: string
  /** What has to be there before, for each pull request. */
  readonly before: (lab: Lab, shop: Shop, pull: Pull) => Promise<unknown>
  readonly act: (lab: Lab, shop: Shop, pull: Pull) => Promise<unknown>
}
const nothing = async (): Promise<void> => {}

const kinds: readonly Kind[] = [
  { name: 'pull_request synchronize', before: nothing, act: (_, shop, { branch }) => shop.push(branch) },
  {
    name: 'check_run completed that changes nothing',
    before: (_, shop, { sha }) => shop.begin(sha, 'lint'),
    act: (_, shop, { sha }) => shop.complete(sha, 'lint', 'success'),
  },
  {
    name: 'check_run completed that changes the decision',
    before: (_, shop, { sha }) => shop.begin(sha, 'build'),
    act: (_, shop, { sha }) => shop.complete(sha, 'build', 'failure'),
  },
  {
    name: 'issue_comment that overrides',
    before: (_, shop, { sha }) => shop.report(sha, 'failure'),
    act: ({ github }, { name }, { number }) =>
      github.comment(name, number, { body: '/override the runner is broken', by: 'ada' }),
  },
  {
    name: 'pull_request_review that approves',
    before: (_, shop, { sha }) => shop.report(sha, 'success'),
    act: ({ github }, { name }, { number }) => github.review(name, number, { by: 'bob', event: 'APPROVE' }),
  },
  {
    name: 'pull_request labeled with an act',
    before: (_, shop, { sha }) => shop.report(sha, 'failure'),
    act: ({ github }, { name }, { number }) => github.label(name, number, 'countersign:override', 'ada'),
  },
  {
    name: 'pull_request labeled with a word that is not ours',
    before: nothing,
    act: ({ github }, { name }, { number }) => github.label(name, number, 'bug', 'ada'),
  },
]

export async function callRows(lab: Lab): Promise<readonly Row[]> {
  const shop = await aShop(lab, 'merge_requires: completed\n')
  const rows = await openedRows(lab, shop)
  for (const [index, { name, before, act }] of kinds.entries()) {
    const [first, second] = [await aPull(lab, shop, `a-${index}`), await aPull(lab, shop, `b-${index}`)]
    for (const pull of [first, second]) await before(lab, shop, pull)
    await lab.idle()
    await lab.restart()
    rows.push(rowOf(name, 'cold', await lab.watch(() => act(lab, shop, first))))
    rows.push(rowOf(name, 'warm', await lab.watch(() => act(lab, shop, second))))
  }
  return rows
}

async function openedRows(lab: Lab, shop: Shop): Promise<Row[]> {
  const rows: Row[] = []
  for (const heat of ['cold', 'warm'] as const) {
    await shop.push(heat)
    await lab.idle()
    if (heat === 'cold') await lab.restart()
    rows.push(rowOf('pull_request opened', heat, await lab.watch(() => shop.open(heat))))
  }
  return rows
}

async function aPull({ idle }: Lab, shop: Shop, branch: string): Promise<Pull> {
  const sha = await shop.push(branch)
  const number = await shop.open(branch)
  await idle()
  return { number, branch, sha }
}

const callsMax = 3
export const readsMax = 4
/**
 * What a process asks once in a while and not per event: who is there, the organisation's policy, the branch's rules in two
 * questions; and who moved a branch before the process was there to be told.
 */
export const learnedMax = 5

function rowOf(kind: string, heat: 'cold' | 'warm', { requests }: Watched): Row {
  const written = requests.filter(isWrite)
  const reads = requests.length - written.length
  const places = placesOf(written)
  const allowed = readsMax + (heat === 'cold' ? learnedMax : 0)
  const changes = written.length > 0
  return {
    name: `calls: ${kind}, ${heat} (${reads} reads, ${written.length} writes, ${places} places shown)`,
    value: requests.length,
    unit: 'calls',
    target: changes ? `at most ${allowed} reads, one write a place` : `at most ${callsMax}`,
    holds: changes ? reads <= allowed && written.length <= places : requests.length <= callsMax,
  }
}

/**
 * Where something new is shown: the check run of a commit, the sticky comment, the labels, the reaction to a command, and
 * once for a repository what its labels are. The queued run that answers a push at once, before anything is known, is a
 * place of its own.
 */
function placesOf(written: Watched['requests']): number {
  const paths = written.map(({ path }) => path)
  const mutated = new Set(written.flatMap(({ mutates }) => mutates))
  const patched = new Set(paths.filter((path) => /\/check-runs\/\d+$/.test(path)))
  const queued = paths.filter((path) => path.endsWith('/check-runs')).length
  const reactions = paths.filter((path) => path.endsWith('/reactions')).length
  const places = [
    mutated.has('updateIssueComment') || paths.some((path) => /\/issues\/(comments\/\d+|\d+\/comments)$/.test(path)),
    [...mutated].some((name) => name.endsWith('Labelable')) || paths.some((path) => /\/labels(\/|$)/.test(path)),
    mutated.has('createLabel'),
  ]
  return patched.size + queued + reactions + places.filter(Boolean).length
}
