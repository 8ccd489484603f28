// Everything that the App reads aside: what the core reads, and tier 1 over the files of a commit.
import { coreJobs } from '../../adapters/aside/aside.ts'
import { readAnswer, type AnswerQuestion, type Passed } from '../../verifier/weighing/pattern.ts'
import { readChange, type ChangeQuestion, type ReadChange } from '../../verifier/change/read-change.ts'
import { readWebhookJob } from '../../adapters/github/read-webhook.ts'
import { jobsIn, manifestIn, type Manifest, type WorkflowJob } from '../../adapters/github/results/workflow-file.ts'
import { tier1OfSnapshot, type Snapshot, type SnapshotAnswer } from '../../checks/tier1/snapshot.ts'
import { signsOf } from '../../core/linear-pattern.ts'
import { compareWork, matchWork, pathsOf, SMALL_WORK_MAX, textWork, type Job } from '../../core/jobs.ts'

const tier1Job: Job<Snapshot, SnapshotAnswer> = { run: tier1OfSnapshot, work: snapshotWork }

/** What is fetched is parsed, changed paths are held against patterns, and a whole tree where files are expected. */
function snapshotWork({ changed, settings, tree, fetched, added }: Snapshot): number {
  const { ignore, allow_empty, expected_outputs, expected_file_types, secrets_allowed } = settings
  const lines = [...added.values()].reduce((work, text) => work + textWork(text), 0)
  const texts = [...fetched.values()].reduce((work, one) => work + (one.kind === 'file' ? bytesWork(one.bytes) : 0), 0)
  const searched = expected_outputs.length === 0 ? [] : [...tree.keys()]
  const patterns = [...ignore, ...allow_empty, ...expected_file_types, ...secrets_allowed]
  return texts + lines + compareWork(patterns, pathsOf(changed)) + compareWork(expected_outputs, searched)
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

export const appJobs = {
  ...coreJobs,
  tier1: tier1Job,
  change: changeJob,
  answer: answerJob,
  workflowJobs: workflowJobsJob,
  manifest: manifestJob,
  webhook: readWebhookJob,
}
