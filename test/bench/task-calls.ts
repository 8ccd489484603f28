// What the tasks of a goal of twenty cost in calls to GitHub: each kind of event cold, as the first thing after a start, and warm,
// and how often the board is written in a storm.
import { learnedMax, readsMax } from './calls.ts'
import { isWrite, workflowRuns, type Lab, type Watched } from './lab.ts'
import { atMost, type Row } from './row.ts'

const policy = `roles: { lead: [ada] }
intake: { task: same }
verification: { checks: [{ name: build, check_run: build, app: github-actions }] }
`
const TASKS = 20

type Task = { readonly issue: number; readonly pull: number; readonly sha: string }
type Town = Awaited<ReturnType<typeof aTown>>
type Kind = {
  readonly name: string
  /** Each is a thing that people see change, and may take one write. */
  readonly places: readonly string[]
  readonly before: (town: Town, task: Task) => Promise<unknown>
  readonly act: (town: Town, task: Task) => Promise<unknown>
}

const kinds: readonly Kind[] = [
  {
    name: 'approved',
    places: ['check run', 'page', 'board', 'who is asked to confirm it'],
    before: async () => undefined,
    act: ({ approve }, { pull }) => approve(pull),
  },
  {
    name: '/task verify',
    places: ['check run', 'page', 'board', 'reaction'],
    before: ({ approve }, { pull }) => approve(pull),
    act: ({ say }, { pull }) => say(pull, 'eve', '/task verify I looked at it'),
  },
  {
    name: '/task reject',
    places: ['check run', 'page', 'board', 'reaction'],
    before: ({ approve }, { pull }) => approve(pull),
    act: ({ say }, { pull }) => say(pull, 'eve', '/task reject it is rounded the wrong way'),
  },
  {
    name: 'blocked by another',
    places: ['check run', 'page', 'board'],
    before: async () => undefined,
    act: ({ block }, { issue }) => block(issue),
  },
  {
    name: 'merged',
    places: ['page', 'board'],
    before: async ({ approve, say }, { pull }) => {
      await approve(pull)
      await say(pull, 'eve', '/task verify I looked at it')
    },
    act: ({ merge }, { pull }) => merge(pull),
  },
  {
    name: 'joined',
    places: ['board', 'what is unclear in it'],
    before: async () => undefined,
    act: ({ join }) => join(),
  },
]

export async function taskCallRows(lab: Lab): Promise<readonly Row[]> {
  const town = await aTown(lab, policy)
  const rows: Row[] = []
  for (const kind of kinds) {
    const [first, second] = [await town.built(), await town.built()]
    for (const task of [first, second]) await kind.before(town, task)
    await lab.idle()
    await lab.restart()
    rows.push(rowOf(kind, 'cold', await lab.watch(() => kind.act(town, first))))
    rows.push(rowOf(kind, 'warm', await lab.watch(() => kind.act(town, second))))
  }
  return [...rows, await stormRow(lab)]
}

function rowOf({ name, places }: Kind, heat: 'cold' | 'warm', { requests }: Watched): Row {
  const writes = requests.filter(isWrite).length
  const reads = requests.length - writes
  const allowed = readsMax + (heat === 'cold' ? learnedMax : 0)
  return {
    name: `calls: a task of a goal of ${TASKS} ${name}, ${heat} (${reads} reads, ${writes} writes)`,
    value: requests.length,
    unit: 'calls',
    target: `at most ${allowed} reads, one write each for ${places.join(', ')}`,
    holds: reads <= allowed && writes <= places.length,
  }
}

/** Where no page is written, whatever comment is changed is the board. */
async function stormRow(lab: Lab): Promise<Row> {
  const town = await aTown(lab, `comment: never\n${policy}`)
  const { github } = lab
  const storm: (() => Promise<unknown>)[] = []
  for (let index = 0; index < TASKS / 2; index += 1) {
    const { pull, sha } = await town.built()
    storm.push(() => town.approve(pull))
    for (let time = 0; time < 9; time += 1)
      storm.push(() =>
        github.reportCheck(town.name, { name: 'build', sha, conclusion: time % 2 === 1 ? 'failure' : 'success' }),
      )
  }
  await lab.idle()
  const { requests } = await lab.watch(() => Promise.all(storm.map((act) => act())))
  const boards = requests.filter((one) => isWrite(one) && isOfComment(one)).length
  return atMost(`${storm.length} events on a goal of ${TASKS} tasks: writes of its board`, boards, 'writes', 2)
}

const isOfComment = ({ mutates, path }: Watched['requests'][number]): boolean =>
  mutates.includes('updateIssueComment') || /\/issues\/(comments\/\d+|\d+\/comments)$/.test(path)

let towns = 0

/** A repository with a goal of twenty tasks. */
async function aTown({ github, idle }: Lab, text: string) {
  towns += 1
  const org = `town${towns}`
  const name = `${org}/shop`
  await github.createOrg(org, ['cleo'])
  await github.createRepo(name, { files: { '.github/countersign.yml': text }, by: 'cleo' })
  await github.setPermission(name, 'ada', 'maintain')
  for (const login of ['bob', 'eve', 'agent']) await github.setPermission(name, login, 'write')
  await github.install(org)
  await idle()
  const goal = await github.openIssue(name, { title: 'A shop that sells', by: 'ada' })
  await github.label(name, goal, 'goal', 'ada')
  const issues: number[] = []
  for (let index = 0; index < TASKS; index += 1) {
    const issue = await github.openIssue(name, { title: `Task ${index}`, by: 'ada' })
    await github.addSubIssue(name, goal, issue, 'ada')
    issues.push(issue)
  }
  await idle()
  const last = issues.at(-1) ?? 0
  const runOf = workflowRuns(github, name)
  let begun = 0
  return {
    name,
    approve: (pull: number) => github.review(name, pull, { by: 'bob', event: 'APPROVE' }),
    say: (pull: number, by: string, body: string) => github.comment(name, pull, { body, by }),
    merge: (pull: number) => github.merge(name, pull, { by: 'cleo' }),
    join: async () => {
      const issue = await github.openIssue(name, { title: 'One more task', by: 'ada' })
      await github.addSubIssue(name, goal, issue, 'ada')
    },
    block: (issue: number) => github.addBlocker(name, issue, last, 'ada'),
    built: async (): Promise<Task> => {
      const issue = issues[begun] ?? 0
      begun += 1
      const head = `task-${issue}`
      const sha = await github.push(name, head, { files: { [`src/${head}.ts`]: 'export {}\n' }, author: 'agent' })
      const pull = await github.openPull(name, { title: head, head, body: `Closes #${issue}`, by: 'agent' })
      await github.reportCheck(name, { name: 'build', sha, run: await runOf(sha, head), conclusion: 'success' })
      await idle()
      return { issue, pull, sha }
    },
  }
}
