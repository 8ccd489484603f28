// Where what GitHub holds of others' texts is read; null where one takes more time or memory than it may.
import { jobsIn, manifestIn, type Manifest, type WorkflowJob } from './results/workflow-file.ts'
import type { Looked } from '../../verifier/context/look.ts'
import { lookJob, type LookInput } from './snapshot/look-job.ts'
import { treeJob, type CommitFiles, type TreeQuestion } from './files/tree.ts'

export type Reading = {
  readonly jobs: (text: string) => Promise<readonly WorkflowJob[] | null>
  readonly manifest: (text: string) => Promise<Manifest | null>
  readonly tree: (question: TreeQuestion) => Promise<CommitFiles | null>
  readonly look: (input: LookInput) => Promise<Looked | null>
}

export const readHere: Reading = {
  jobs: async (text) => jobsIn(text),
  manifest: async (text) => manifestIn(text),
  tree: async (question) => treeJob.run(question),
  look: async (input) => lookJob.run(input),
}
