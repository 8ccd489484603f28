// Everything that the App reads aside: what the core reads, and tier 1 over the files of a commit.
import { coreJobs } from '../../adapters/aside/aside.ts'
import { tier1OfSnapshot, type Snapshot, type SnapshotAnswer } from '../../checks/tier1/snapshot.ts'
import type { Job } from '../../core/jobs.ts'

/** A tree of a few files is small too, but what they hold is parsed. */
const tier1Job: Job<Snapshot, SnapshotAnswer> = { run: tier1OfSnapshot, work: () => Infinity }

export const appJobs = { ...coreJobs, tier1: tier1Job }
