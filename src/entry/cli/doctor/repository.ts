// What the repository brings along: a policy that can be read, the workflow that runs its checks with the triggers that it
// needs, and how long its results are kept.
import { parse } from 'yaml'
import { z } from 'zod'
import { organisationPolicy, policyTexts } from '../../../adapters/github/files/policy-file.ts'
import { fileAt } from '../../../adapters/github/files/file-at.ts'
import { actionWorkflows } from '../../../adapters/github/results/workflows.ts'
import { orUnseen } from '../../../adapters/github/status.ts'
import { governing, sayPlace, type Governing } from '../../../core/contract/policy/governing.ts'
import { policyFile } from '../../../core/contract/scope.ts'
import { looked, ok, unknown, warning, wrong, type Finding } from './finding.ts'
import type { Branch } from './rules.ts'

export type Ruled = { readonly finding: Finding; readonly governed: Governing | null; readonly isMissing: boolean }

export async function policyOn({ octokit, place, branch, pages }: Branch): Promise<Ruled> {
  const access = { octokit, place, slug: '', app: null, now: () => 0 }
  const { own, organisation } = await policyTexts(access, branch, () => organisationPolicy(access))
  const name = `${place.owner}/${place.repo}`
  if (own === null && organisation === null) {
    const mend = `countersign doctor ${name} --fix, or countersign init in a clone`
    return {
      finding: wrong('policy', `there is no ${policyFile} on ${branch}, nor a default of the organisation`, mend),
      governed: null,
      isMissing: true,
    }
  }
  const governed = governing({ own, organisation })
  const [first] = governed.problems
  if (first !== undefined)
    return {
      finding: wrong('policy', sayPlace(first), `${pages}/${name}/edit/${branch}/${policyFile}`),
      governed: null,
      isMissing: false,
    }
  const { mode } = governed.policy
  const page = `${pages}/${name}/edit/${branch}/${policyFile}`
  const finding =
    mode === 'enforce'
      ? ok('policy', `${own === null ? 'the organisation’s default' : policyFile} is valid`)
      : warning('policy', `it says \`mode: ${mode}\`, so nothing is enforced`, page)
  return { finding, governed, isMissing: false }
}

type On = { readonly events: ReadonlyMap<string, readonly string[] | null> }
const triggers = z.object({ on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]) })
const types = z.object({ types: z.union([z.string().transform((one) => [one]), z.array(z.string())]) })

/** The events of a workflow with the types that each names. */
function onOf(text: string): On | null {
  try {
    const read = triggers.safeParse(parse(text, { schema: 'core', version: '1.2' }))
    if (!read.success) return null
    const { on } = read.data
    if (typeof on === 'string') return { events: new Map([[on, null]]) }
    if (Array.isArray(on)) return { events: new Map(on.map((event) => [event, null])) }
    return {
      events: new Map(Object.entries(on).map(([event, more]) => [event, types.safeParse(more).data?.types ?? null])),
    }
  } catch {
    return null
  }
}

export type Workflows = { readonly findings: readonly Finding[]; readonly isMissing: boolean }

/** Only where the policy has commands is a workflow owed. */
export async function workflowsOn(at: Branch, { policy }: Governing, queue: boolean | null): Promise<Workflows> {
  const { octokit, place, branch, pages } = at
  const name = `${place.owner}/${place.repo}`
  if (policy.verification.checks.every(({ command }) => command === undefined))
    return { findings: [ok('workflow', 'no check of the policy is a command, so none is needed')], isMissing: false }
  const access = { octokit, place, slug: '', app: null, now: () => 0 }
  const { known, unclear } = await actionWorkflows(access, branch)
  if (known.length === 0) {
    const mend = `countersign workflow > .github/workflows/countersign.yml in a clone, or countersign doctor ${name} --fix`
    return unclear
      ? {
          findings: [
            wrong(
              'workflow',
              `nobody can tell which workflow of ${branch} runs the Action`,
              'pin by a full commit what your workflows call',
            ),
          ],
          isMissing: false,
        }
      : { findings: [wrong('workflow', `no workflow of ${branch} runs the Action`, mend)], isMissing: true }
  }
  const findings: Finding[] = [ok('workflow', `${known.map(({ path }) => path).join(', ')} runs the Action`)]
  for (const { path } of known) {
    const text = (await orUnseen(fileAt(access, place, path, branch)))?.text ?? ''
    const page = `${pages}/${name}/edit/${branch}/${path}`
    findings.push(...triggersOf(path, onOf(text), queue, page), pinOf(path, text, page))
  }
  return { findings, isMissing: false }
}

function triggersOf(path: string, on: On | null, queue: boolean | null, page: string): Finding[] {
  const about = 'triggers'
  if (on === null) return [unknown(about, `the triggers of ${path} cannot be read`, page)]
  const pulls = on.events.get('pull_request')
  const found: Finding[] = []
  if (pulls === undefined) found.push(wrong(about, `${path} does not run on \`pull_request\``, page))
  else if (pulls === null || !pulls.includes('edited'))
    found.push(
      warning(
        about,
        `${path} does not run when a pull request gets another base: add \`types: [opened, synchronize, reopened, edited]\``,
        page,
      ),
    )
  if (!on.events.has('merge_group') && queue !== false)
    found.push(
      queue === null
        ? unknown(
            about,
            `${path} does not run on \`merge_group\`, and whether a merge queue is on cannot be seen`,
            page,
          )
        : wrong(
            about,
            `a merge queue is on, and ${path} does not run on \`merge_group\`, so the queue would wait for ever`,
            page,
          ),
    )
  return found.length > 0 ? found : [ok(about, `${path} runs when it has to`)]
}

const uses = /uses:\s*["']?([\w.-]+\/countersign)@([^\s"'#}]+)/g

/** A branch moves with every push; a tag only where its owner moves it. */
function pinOf(path: string, text: string, page: string): Finding {
  const refs = [...text.matchAll(uses)].map(([, , ref = '']) => ref)
  const loose = refs.filter((ref) => !/^[0-9a-f]{40}$/.test(ref) && !/^v?\d/.test(ref))
  if (loose.length > 0)
    return warning('pin', `${path} takes the Action from \`${loose.join(', ')}\`, which moves with every push`, page)
  const tags = refs.filter((ref) => /^v?\d/.test(ref))
  return ok(
    'pin',
    tags.length > 0
      ? `${path} takes the Action at the tag ${[...new Set(tags)].join(', ')}, which its owner can move`
      : `${path} takes the Action at a full commit`,
  )
}

const retention = z.object({ days: z.number() })
const DAYS_MIN = 2

/** Results are read when a run ends, and again when an attempt is opened anew. */
export const artifactsKept = ({ octokit, place, pages }: Branch, isAdmin: boolean): Promise<Finding[]> =>
  looked('artifacts', async () => {
    const page = `${pages}/${place.owner}/${place.repo}/settings/actions`
    const route = 'GET /repos/{owner}/{repo}/actions/permissions/artifact-and-log-retention'
    const answer = isAdmin ? await orUnseen(octokit.request(route, { ...place })) : null
    if (answer === null) return unknown('artifacts', 'how long they are kept is shown to administrators alone', page)
    const { days } = retention.parse(answer.data)
    return days < DAYS_MIN
      ? warning(
          'artifacts',
          `they are kept for ${days} day${days === 1 ? '' : 's'}, and results may be asked for later`,
          page,
        )
      : ok('artifacts', `they are kept for ${days} days`)
  })
