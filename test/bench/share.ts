// A share of a processor for a process, as a container has it: Linux's control groups, for which one has to be root.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

const first = '/sys/fs/cgroup/cpu'
const second = '/sys/fs/cgroup'
const periodUs = 100_000

export type Share = {
  readonly on: () => void
  readonly off: () => void
  /** Once the processes have ended. */
  readonly forget: () => void
}

/** While it is on, none of the processes takes more than that share of one processor. */
export function shareOf(pids: readonly number[], share: number): Share {
  const quotaUs = Math.round(share * periodUs)
  const isSecond = existsSync(`${second}/cgroup.controllers`)
  if (isSecond) writeFileSync(`${second}/cgroup.subtree_control`, '+cpu')
  const folders = pids.map((pid) => {
    const folder = `${isSecond ? second : first}/countersign-${pid}`
    mkdirSync(folder)
    writeFileSync(`${folder}/cgroup.procs`, String(pid))
    return folder
  })
  const eachMayTake = (us: number | null): void => {
    for (const folder of folders) {
      if (isSecond) writeFileSync(`${folder}/cpu.max`, `${us ?? 'max'} ${periodUs}`)
      else writeFileSync(`${folder}/cpu.cfs_quota_us`, String(us ?? -1))
    }
  }
  return {
    on: () => eachMayTake(quotaUs),
    off: () => eachMayTake(null),
    forget: () => {
      for (const folder of folders) rmdirSync(folder)
    },
  }
}
