// Everything that the App reads aside: what the core reads, and tier 1 over the files of a commit.
import { coreJobs } from '../../adapters/aside/aside.ts'
import { readAnswer, type AnswerQuestion, type Passed } from '../../verifier/weighing/pattern.ts'
import { readChange, type ChangeQuestion, type ReadChange } from '../../verifier/change/read-change.ts'
import { treeIn, treeJob, treeWork, type CommitFile } from '../../adapters/github/files/tree.ts'
import { lookJob } from '../../adapters/github/snapshot/look-job.ts'
import { pictureJob } from '../../adapters/picture/look-at.ts'
import { readWebhookJob } from '../../adapters/github/webhooks/read-webhook.ts'
import { jobsIn, manifestIn, type Manifest, type WorkflowJob } from '../../adapters/github/results/workflow-file.ts'
import type { ProjectSeen } from '../../adapters/github/files/project.ts'
import { starterOf, type Starter } from '../beginning/starter.ts'
import { tier1OfSnapshot, type Snapshot, type SnapshotAnswer } from '../../checks/tier1/snapshot.ts'
import { signsOf } from '../../core/linear-pattern.ts'
import { compareWork, matchWork, pathsOf, SMALL_WORK_MAX, textWork, type Job } from '../../core/jobs.ts'

/** The list of all files as it came, and with what is still wanted what the list says of it. */
export type TreeSnapshot = Omit<Snapshot, 'tree' | 'complete'> & { readonly tree: Uint8Array }
export type TreeSnapshotAnswer =
  | Extract<SnapshotAnswer, { kind: 'report' }>
  | { readonly kind: 'wanted'; readonly files: readonly CommitFile[] }

const tier1Job: Job<TreeSnapshot, TreeSnapshotAnswer> = {
  run: async ({ tree: bytes, ...known }) => {
    const { files: tree, complete } = treeIn(bytes)
    const answer = await tier1OfSnapshot({ ...known, tree, complete })
    if (answer.kind === 'report') return answer
    return { kind: 'wanted', files: answer.paths.flatMap((path) => tree.get(path) ?? []) }
  },
  work: snapshotWork,
}

/** What is fetched is parsed, changed paths are held against patterns, and a whole tree where files are expected. */
function snapshotWork({ changed, settings, tree, fetched, added }: TreeSnapshot): number {
  const { ignore, allow_empty, expected_outputs, expected_file_types, secrets_allowed } = settings
  const lines = [...added.values()].reduce((work, text) => work + textWork(text), 0)
  const texts = [...fetched.values()].reduce((work, one) => work + (one.kind === 'file' ? bytesWork(one.bytes) : 0), 0)
  const patterns = [...ignore, ...allow_empty, ...expected_file_types, ...secrets_allowed]
  return (
    treeWork(tree) +
    texts +
    lines +
    compareWork(patterns, pathsOf(changed)) +
    matchWork(expected_outputs.join('').length, tree.length)
  )
}

const bytesWork = (bytes: Uint8Array): number =>
  bytes.length > SMALL_WORK_MAX ? bytes.length : textWork(Buffer.from(bytes).toString('latin1'))

const changeJob: Job<ChangeQuestion, ReadChange> = { run: readChange, work: changeWork }

/** Every line is looked at, and every path is held against patterns. */
function changeWork({
  change,
  description,
  criteria,
  protectedPaths,
  unseenOk,
  hiddenAllowed,
}: ChangeQuestion): number {
  const patches = change.files.map(({ patch }) => patch ?? '')
  const texts = [...patches, description, ...criteria].reduce((work, text) => work + textWork(text), 0)
  return texts + compareWork([...protectedPaths, ...unseenOk, ...hiddenAllowed], pathsOf(change.files))
}

/** What a pattern may become times what it is held against, at the pace of plain text. */
const answerJob: Job<AnswerQuestion, Passed> = {
  run: readAnswer,
  work: ({ text, pass, fail }) => matchWork(signsOf(pass) + signsOf(fail), text.length),
}

const workflowJobsJob: Job<string, readonly WorkflowJob[]> = { run: jobsIn, work: textWork }
const manifestJob: Job<string, Manifest | null> = { run: manifestIn, work: textWork }

const starterJob: Job<ProjectSeen, Starter> = {
  run: starterOf,
  work: ({ names, texts, workflows }) =>
    textWork(names.join('\n')) +
    [...Object.values(texts), ...Object.values(workflows)].reduce((sum, text) => sum + textWork(text), 0),
}

export const appJobs = {
  ...coreJobs,
  tier1: tier1Job,
  change: changeJob,
  answer: answerJob,
  workflowJobs: workflowJobsJob,
  manifest: manifestJob,
  tree: treeJob,
  look: lookJob,
  webhook: readWebhookJob,
  starter: starterJob,
  picture: pictureJob,
}
