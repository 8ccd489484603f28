// The port for reading what others wrote, over threads or in line. Programs that nobody else waits for, such as the command
// line, read in line; the App reads there only what is small.
import { z } from 'zod'
import {
  copiedJob,
  declaredPathsJob,
  pathFactsJob,
  policyCopyJob,
  readCommandsJob,
  readContractJob,
  readPolicyJob,
  simulationJob,
  requestWordsJob,
  SMALL_WORK_MAX,
  stagePeopleJob,
  taskWordsJob,
  type Aside,
  type Job,
  type Read,
} from '../../core/jobs.ts'
import type { Pool } from './pool.ts'

/** By which way a job gets its input and gives its answer. */
export type Way = <I, O>(name: string, job: Job<I, O>) => Read<I, O>

export const coreJobs = {
  policy: readPolicyJob,
  policyCopy: policyCopyJob,
  contract: readContractJob,
  commands: readCommandsJob,
  paths: pathFactsJob,
  declared: declaredPathsJob,
  simulation: simulationJob,
  stages: stagePeopleJob,
  request: requestWordsJob,
  copied: copiedJob,
  task: taskWordsJob,
}

export const aside = (way: Way): Aside => ({
  policy: way('policy', coreJobs.policy),
  policyCopy: way('policyCopy', coreJobs.policyCopy),
  contract: way('contract', coreJobs.contract),
  commands: way('commands', coreJobs.commands),
  paths: way('paths', coreJobs.paths),
  declared: way('declared', coreJobs.declared),
  simulation: way('simulation', coreJobs.simulation),
  stages: way('stages', coreJobs.stages),
  request: way('request', coreJobs.request),
  copied: way('copied', coreJobs.copied),
  task: way('task', coreJobs.task),
})

export const inLine: Way = (_name, job) => async (input) => job.run(input)

export function inThreads(pool: Pool): Way {
  return <I, O>(name: string, job: Job<I, O>): Read<I, O> => {
    // Our own code in our own thread: the answer is what the job gave.
    const answer = z.custom<O>()
    return async (input, tenant) => {
      if (job.work(input) <= SMALL_WORK_MAX) return job.run(input)
      const given = await pool.ask(name, input, tenant, job.gives?.(input))
      return given === null ? null : answer.parse(given.value)
    }
  }
}
