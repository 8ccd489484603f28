// What is to be judged, and by what: the event, the policy, the checkout and the change. None of these is there, or right,
// as a matter of course, and each that is not has words that help. Nothing here is told to anybody; `main.ts` does that.
import { debug, getInput } from '@actions/core'
import { readFile, realpath } from 'node:fs/promises'
import type { Access } from '../src/adapters/github/access.ts'
import { githubTraffic, tokenOctokit } from '../src/adapters/github/traffic/client.ts'
import { openClone, type Clone } from '../src/checks/checkout/clone.ts'
import { secretValues } from '../src/checks/runner/environment.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import { carryOut, type Case, type Judged } from './carry-out.ts'
import { changesOf, type Changes } from './changes.ts'
import { readCheckout, type Checkout } from './checkout.ts'
import type { Runner } from './environment.ts'
import { readEvent, type Subject } from './event.ts'
import { lookAround } from './look-around.ts'
import { blockMarks, policyMarks, type Mark } from './marks.ts'
import { partOf } from './part.ts'
import { governingPolicy } from './policy.ts'

type Refused =
  | { readonly kind: 'refused'; readonly words: string; readonly marks: readonly Mark[] }
  | { readonly kind: 'off'; readonly words: string }
export type Judgement = Refused | Judged

export async function judge(runner: Runner, secrets: readonly string[], signal: AbortSignal): Promise<Judgement> {
  const payload: unknown = JSON.parse(await readFile(runner.eventPath, 'utf8'))
  const subject = readEvent(runner.event, payload)
  if (subject === null) return refused(runWords.wrongEvent(runner.event))
  const opened = openClone(runner.workspace, runner.environment)
  let prepared: Refused | Omit<Case, 'secrets' | 'signal'>
  try {
    prepared = await prepare(runner, subject, opened)
  } finally {
    // Before anything of the change runs: what it could put there, git would take for ours.
    await (await opened)?.close()
  }
  if (prepared.kind !== 'case') return prepared
  const carried = await carryOut({ ...prepared, secrets, signal })
  return 'trouble' in carried ? refused(runWords.noOtherUser(carried.trouble)) : carried
}

/**
 * Everything that is asked of git, of GitHub and of interpreters is asked here, before any code of the change runs, but for
 * what the base showed of the pages that the checks will have drawn.
 */
async function prepare(
  runner: Runner,
  subject: Subject,
  opened: Promise<Clone | null>,
): Promise<Refused | Omit<Case, 'secrets' | 'signal'>> {
  const { base_ref, head_sha } = subject
  const access = accessTo(runner)
  // Git and GitHub are asked at the same time; what is wrong with the policy is said before what is wrong here.
  const here = hereOf(runner, opened, access, subject)
  here.catch(() => null)
  // A workflow that the change cannot edit must not be made green by a policy that it brings along.
  const governing = await governingPolicy(access, subject, !runner.isImposed)
  if (governing.kind === 'none') return refused(runWords.noPolicy(base_ref))
  if (governing.kind === 'invalid') {
    const { problems, proposed } = governing
    const words = proposed ? runWords.proposalInvalid : runWords.policyInvalid
    return refused(words(base_ref, problems.length), policyMarks(problems))
  }
  if (governing.kind === 'unreadable') return refused(runWords.blockUnreadable, blockMarks(governing.problems))
  if (governing.policy.mode === 'off') return { kind: 'off', words: runWords.switchedOff(base_ref) }
  const part = partOf(governing.policy, getInput('check'))
  if ('words' in part) return refused(part.words(base_ref))
  const found = await here
  if ('trouble' in found) return refused(found.trouble)
  const { clone, checkout, changes } = found
  const ofMerge = checkout.isMerge ? [runWords.mergeCheckout(checkout.sha, head_sha, base_ref)] : []
  const notes = [...(part.kind === 'tier1' ? [runWords.checksInJobs] : ofMerge), ...governing.notes]
  const seen = await lookAround(clone, checkout.sha, changes, governing.policy, part)
  return { kind: 'case', runner, subject, governing, part, changes, notes, ...seen }
}

/** What nobody may read in a log, an artifact or an annotation. */
export function knownSecrets(runner: Runner): string[] {
  return [...new Set([getInput('github-token'), ...secretValues(runner.environment)])].filter((value) => value !== '')
}

const refused = (words: string, marks: readonly Mark[] = []): Refused => {
  return { kind: 'refused', words, marks }
}

export function accessTo({ repository, apiUrl }: Runner): Access {
  const [owner = '', repo = ''] = repository.split('/')
  const octokit = tokenOctokit(githubTraffic(), getInput('github-token'), apiUrl)
  // That something is not there is an answer, and none that people need to see.
  Object.assign(octokit.log, { warn: debug, error: debug })
  return { octokit, place: { owner, repo }, slug: 'github-actions', app: null, now: () => performance.now() }
}

type Here =
  | { readonly clone: Clone; readonly checkout: Checkout; readonly changes: Changes }
  | { readonly trouble: string }

async function hereOf(
  { workspace, serverUrl, repository }: Runner,
  opened: Promise<Clone | null>,
  access: Access,
  subject: Subject,
): Promise<Here> {
  const clone = await opened
  // A clone around the workspace is no checkout of this job.
  if (clone === null || clone.root !== (await realpath(workspace))) return { trouble: runWords.noCheckout }
  const reading = await readCheckout(clone.git, subject)
  if ('trouble' in reading) return reading
  const { checkout } = reading
  const sources = { git: clone.git, access, url: `${serverUrl}/${repository}`, token: getInput('github-token') }
  return { clone, checkout, changes: await changesOf(sources, checkout, subject) }
}
