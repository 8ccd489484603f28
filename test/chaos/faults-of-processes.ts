// What happens to the process of an App: it is away, dies at a bad moment, stands still, or its clock is set; and what
// happens where there are two of them.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../app/lab/running.ts'
import { both, type End, type Fault, type Scenery } from './fault.ts'
import { flaky, shuffled } from './faults-of-github.ts'

const HOURS_MS = 5 * 60 * 60 * 1_000

const signal = (one: Scenery['processes'][number] | undefined, name: NodeJS.Signals): void => {
  const pid = one?.pid() ?? null
  if (pid !== null) process.kill(pid, name)
}

async function away({ kill, start, github }: Scenery) {
  await kill()
  return async () => {
    await github.idle()
    await start()
  }
}

/** One webhook after the other meets a process that has just died, or has just begun. */
async function dyingAgainAndAgain({ kill, start, roll, lastMs }: Scenery) {
  const until = performance.now() + lastMs
  const deaths = (async () => {
    while (performance.now() < until) {
      await sleep(roll.below(700))
      await kill()
      await start()
    }
  })()
  return () => deaths
}

async function clockSet({ processes, lastMs }: Scenery) {
  for (const one of processes) signal(one, 'SIGUSR2')
  const again = setTimeout(() => processes.forEach((one) => signal(one, 'SIGUSR2')), lastMs / 2)
  return async () => clearTimeout(again)
}

async function frozen({ processes }: Scenery) {
  signal(processes[0], 'SIGSTOP')
  return async () => signal(processes[0], 'SIGCONT')
}

/** All of them at once; they end in the order in which they began. */
const together =
  (...begins: readonly Fault['begin'][]): Fault['begin'] =>
  async (scenery) => {
    const ends: End[] = []
    for (const begin of begins) ends.push(await begin(scenery))
    return async () => {
      for (const end of ends) await end()
    }
  }

const FILES = 1_024

/** So many may be open from now on. */
function filesOf(one: Scenery['processes'][number], count: number): void {
  spawnSync('prlimit', ['--pid', String(one.pid()), `--nofile=${count}:${FILES}`])
}
const openFilesOf = (one: Scenery['processes'][number]): number => readdirSync(`/proc/${one.pid()}/fd`).length

export const faultsOfProcesses: readonly Fault[] = [
  {
    name: 'away',
    about: 'the App is away while webhooks fail',
    stores: both,
    expected: 'same',
    begin: away,
  },
  {
    name: 'away-unrepeated',
    about: 'the App is away, and GitHub brings none of the failed webhooks again',
    stores: both,
    expected: 'same',
    begin: async (scenery) => {
      const path = '/app/hook/deliveries*'
      scenery.github.addFault({ path, trouble: { kind: 'answer', status: 500 } })
      return away(scenery)
    },
  },
  {
    name: 'killed-often',
    about: 'the App is killed again and again',
    stores: both,
    expected: 'same',
    begin: dyingAgainAndAgain,
  },
  {
    name: 'killed-in-weather',
    about: 'the App is killed again and again while GitHub fails every third time and its webhooks overtake each other',
    stores: both,
    expected: 'same',
    begin: together(dyingAgainAndAgain, flaky, shuffled),
  },
  {
    name: 'two-in-weather',
    about: 'two processes share a database while GitHub fails every third time and its webhooks overtake each other',
    stores: ['postgres'],
    processes: 2,
    expected: 'same',
    begin: together(flaky, shuffled),
  },
  {
    name: 'files-spent',
    about: 'the App may open no more files and connections',
    stores: both,
    expected: 'same',
    needs: () => spawnSync('prlimit', ['--version']).status === 0,
    begin: async ({ processes }) => {
      for (const one of processes) filesOf(one, openFilesOf(one))
      return async () => processes.forEach((one) => filesOf(one, FILES))
    },
  },
  {
    name: 'killed-over-green',
    about: 'the App is killed over writes of green, which reach GitHub when all is over',
    stores: both,
    expected: 'same',
    outlasts: true,
    flickers: true,
    begin: async ({ github, kill, start }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const green = { method: 'PATCH', path: '/repos/*/check-runs/*', holds: '"conclusion":"success"' } as const
      const fault = github.addFault({ ...green, trouble: { kind: 'held', until: promise } })
      const killed = (async () => {
        await until(async () => github.faultHits(fault) > 0)
        // All that turns green at that moment is on its way by then.
        await sleep(1_500)
        await kill()
        github.removeFault(fault)
        await start()
      })()
      killed.catch(() => {})
      return async () => {
        await killed
        resolve()
      }
    },
  },
  {
    name: 'clock-back',
    about: 'the clock is set back by hours, twice',
    stores: both,
    expected: 'same',
    env: { CLOCK_JUMP_MS: String(-HOURS_MS) },
    begin: clockSet,
  },
  {
    name: 'clock-ahead',
    about: 'the clock is set ahead by hours, twice',
    stores: both,
    expected: 'same',
    env: { CLOCK_JUMP_MS: String(HOURS_MS) },
    begin: clockSet,
  },
  { name: 'frozen', about: 'the App stands still', stores: both, expected: 'same', begin: frozen },
  {
    name: 'one-of-two-killed',
    about: 'two processes share a database, and one of them is killed and stays away',
    stores: ['postgres'],
    processes: 2,
    expected: 'same',
    begin: async ({ processes, roll }) => {
      await sleep(roll.below(300))
      const one = processes[roll.below(2)]
      await one?.end('SIGKILL')
      return async () => undefined
    },
  },
  {
    name: 'one-of-two-frozen',
    about: 'two processes share a database, and one of them stands still and wakes',
    stores: ['postgres'],
    processes: 2,
    expected: 'same',
    // Longer than the other one waits for it.
    atLeastMs: 25_000,
    begin: frozen,
  },
]
