// What the doctor offers to mend: a pull request with the files that are missing, or a ruleset that requires the check from
// this App alone. Both are a person's acts, with that person's token, and only after a yes.
import type { GitHubClient } from '../../../adapters/github/access.ts'
import { projectAt } from '../../../adapters/github/files/project.ts'
import { orMissing } from '../../../adapters/github/status.ts'
import { plainCheckName } from '../../../core/decision/subject.ts'
import { starterOf } from '../../beginning/starter.ts'
import { textsWanted } from '../../beginning/toolchains.ts'
import type { Branch } from './rules.ts'

export type Mending = { readonly words: string; readonly mend: () => Promise<string> }

const BRANCH = 'countersign/begin'
const title = 'Countersign: a policy and its workflow'
const text = `The policy that pull requests are judged by, and the workflow that runs its checks.

While the base has no policy, this pull request is judged by the one that it brings, once an admin has said \`/ack <reason>\` here.`

/** Null where nothing is missing, or where that is under way already. */
export async function filesMissing(at: Branch, isMissing: readonly string[]): Promise<Mending | null> {
  const { octokit, place, branch } = at
  const project = await projectAt({ octokit, place }, branch, textsWanted)
  const files = Object.entries(starterOf(project)).filter(([path]) => isMissing.includes(path))
  if (files.length === 0) return null
  const words = `open a pull request into ${branch} that adds ${files.map(([path]) => path).join(' and ')}`
  return { words, mend: () => proposed(at, files) }
}

async function proposed(
  { octokit, place, branch }: Branch,
  files: readonly (readonly [string, string])[],
): Promise<string> {
  const { git, pulls } = octokit.rest
  const { data: base } = await git.getRef({ ...place, ref: `heads/${branch}` })
  const { data: parent } = await git.getCommit({ ...place, commit_sha: base.object.sha })
  const entries = files.map(([path, content]) => ({ path, content, mode: '100644', type: 'blob' }) as const)
  const { data: tree } = await git.createTree({ ...place, base_tree: parent.tree.sha, tree: entries })
  const { data: commit } = await git.createCommit({ ...place, message: title, tree: tree.sha, parents: [parent.sha] })
  const head = await freeBranch(octokit, place)
  await git.createRef({ ...place, ref: `refs/heads/${head}`, sha: commit.sha })
  const { data: pull } = await pulls.create({ ...place, title, body: text, head, base: branch })
  return `opened ${pull.html_url}`
}

const TRIES_MAX = 20

/** A branch of this name may be there from before. */
async function freeBranch(octokit: GitHubClient, place: Branch['place']): Promise<string> {
  for (let nth = 1; nth <= TRIES_MAX; nth += 1) {
    const name = nth === 1 ? BRANCH : `${BRANCH}-${nth}`
    if ((await orMissing(octokit.rest.git.getRef({ ...place, ref: `heads/${name}` }))) === null) return name
  }
  throw new Error(`there are ${TRIES_MAX} branches named ${BRANCH} already: delete them`)
}

/** Only for an App whose number is known: from anybody it would be no gate. */
export const checkRequired = ({ octokit, place, branch }: Branch, app: number): Mending => ({
  words: `add a ruleset that requires \`${plainCheckName}\` from the App ${app} on ${branch}`,
  mend: async () => {
    const { data } = await octokit.request('POST /repos/{owner}/{repo}/rulesets', {
      ...place,
      name: plainCheckName,
      target: 'branch',
      enforcement: 'active',
      conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
      rules: [
        {
          type: 'required_status_checks',
          parameters: {
            strict_required_status_checks_policy: false,
            required_status_checks: [{ context: plainCheckName, integration_id: app }],
          },
        },
      ],
    })
    return `added the ruleset ${data.id}`
  },
})
