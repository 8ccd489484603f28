// Where what GitHub holds of others' texts is read; null where one takes more time or memory than it may.
import { jobsIn, manifestIn, type Manifest, type WorkflowJob } from './results/workflow-file.ts'
import { treeJob, type CommitFiles, type TreeQuestion } from './tree.ts'

export type Reading = {
  readonly jobs: (text: string) => Promise<readonly WorkflowJob[] | null>
  readonly manifest: (text: string) => Promise<Manifest | null>
  readonly tree: (question: TreeQuestion) => Promise<CommitFiles | null>
}

export const readHere: Reading = {
  jobs: async (text) => jobsIn(text),
  manifest: async (text) => manifestIn(text),
  tree: async (question) => treeJob.run(question),
}
