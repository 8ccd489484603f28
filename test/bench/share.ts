// A share of a processor for a process, as a container has it: Linux's control groups, for which one has to be root.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

const first = '/sys/fs/cgroup/cpu'
const second = '/sys/fs/cgroup'
const periodUs = 100_000

/** From now on no process takes more than that share of one processor. Answers how to clean up once they have ended. */
export function limited(pids: readonly number[], share: number): () => void {
  const quotaUs = String(Math.round(share * periodUs))
  const isSecond = existsSync(`${second}/cgroup.controllers`)
  if (isSecond) writeFileSync(`${second}/cgroup.subtree_control`, '+cpu')
  const folders = pids.map((pid) => {
    const folder = `${isSecond ? second : first}/countersign-${pid}`
    mkdirSync(folder)
    if (isSecond) writeFileSync(`${folder}/cpu.max`, `${quotaUs} ${periodUs}`)
    else writeFileSync(`${folder}/cpu.cfs_quota_us`, quotaUs)
    writeFileSync(`${folder}/cgroup.procs`, String(pid))
    return folder
  })
  return () => {
    for (const folder of folders) rmdirSync(folder)
  }
}
