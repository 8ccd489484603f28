// What is read aside for whom: each installation has its share of the threads.
import type { Way } from '../../adapters/aside/aside.ts'
import type { Reading as GitHubReading } from '../../adapters/github/reading.ts'
import type { Reading } from '../../engine/verify/reading.ts'
import { appJobs } from './jobs.ts'
import type { Repositories } from './repositories.ts'

/** A repository is known by its key, and its installation is who pays. */
export const byTenant =
  (way: Way, { tenantOf }: Pick<Repositories, 'tenantOf'>): Way =>
  (name, job) => {
    const read = way(name, job)
    return (input, key) => read(input, tenantOf(key))
  }

/** Workflows of a branch, what they call, and lists of files, by whose installation it is. */
export function gitHubReadingBy(way: Way, far: Way): (tenant: string) => GitHubReading {
  const [jobs, manifest] = [way('workflowJobs', appJobs.workflowJobs), way('manifest', appJobs.manifest)]
  const [tree, look] = [way('tree', appJobs.tree), far('look', appJobs.look)]
  return (tenant) => ({
    jobs: (text) => jobs(text, tenant),
    manifest: (text) => manifest(text, tenant),
    tree: (question) => tree(question, tenant),
    look: (input) => look(input, tenant),
  })
}

/** What the verifier reads, by the key of the repository that it concerns. */
export function readingBy(way: Way): (key: string) => Reading {
  const [change, answer] = [way('change', appJobs.change), way('answer', appJobs.answer)]
  return (key) => ({ change: (question) => change(question, key), answer: (question) => answer(question, key) })
}
