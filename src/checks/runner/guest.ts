// Another user of the machine, made for one run: checks run as this user, who cannot look into the Action, write where it
// writes, or become anybody else. Where that cannot be had nothing runs, since nobody would see the difference.
import { chmod, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import type { Environment } from './environment.ts'
import { firstOf, sendTo, type Home } from './home.ts'
import { uidOf } from './processes.ts'
import { wordsOf } from '../../core/error-words.ts'

export type Guest = {
  readonly home: Home
  /** A copy of the checkout, which is the guest's to write to. */
  readonly root: string
  readonly environment: Environment
  /** Once nothing of the guest runs any more: what it wrote can be read. */
  readonly takeOver: () => Promise<void>
  /** Nothing of the guest is left on the machine. */
  readonly leave: () => Promise<void>
}
type Refusal = { readonly trouble: string }
type Answer = { readonly ok: boolean; readonly text: string; readonly trouble: string }
/** How a program of the system is run, which whoever asks for a guest knows. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<Answer>
type Machine = {
  /** Runs a program of the system with the rights of the superuser. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<Answer>
  readonly place: (program: string) => string
  readonly prefix: readonly string[]
}

// Only where nobody but the superuser can put anything: `PATH` may lead anywhere.
const systemFolders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']
const tools = ['cp', 'chown', 'env', 'id', 'kill', 'rm', 'setpriv', 'useradd', 'userdel']
const shell = '/bin/bash'
const systemEnv = { PATH: systemFolders.join(':'), LC_ALL: 'C' }
/** A folder that every user of the machine can reach. */
const commonFolder = '/tmp'

export async function invite(root: string, environment: Environment, runProgram: RunProgram): Promise<Guest | Refusal> {
  const machine = await superuser(runProgram)
  if ('trouble' in machine) return machine
  const name = `countersign-${randomBytes(5).toString('hex')}`
  const made = await machine.run('useradd', '--system', '--user-group', '--no-create-home', '--shell', shell, name)
  if (!made.ok) return { trouble: `no user could be made: ${made.trouble}` }
  const base = await mkdtemp(join(await realpath(commonFolder), 'countersign-guest-'))
  const leave = async (): Promise<void> => {
    await machine.run('userdel', name)
    await machine.run('rm', '-rf', '--one-file-system', base)
  }
  const guest = await settled(machine, { name, base, root, environment, leave }).catch((error: unknown) => {
    return { trouble: wordsOf(error) }
  })
  if ('trouble' in guest) await leave()
  return guest
}

/** Whoever this is already, or who may become it without being asked for a password. */
async function superuser(runProgram: RunProgram): Promise<Machine | Refusal> {
  const places = new Map<string, string>()
  for (const tool of [...tools, 'sudo']) {
    const found = await firstOf(systemFolders.map((folder) => join(folder, tool)))
    if (found !== null) places.set(tool, found)
  }
  const lacking = tools.filter((tool) => !places.has(tool))
  if (lacking.length > 0) return { trouble: `this runner has no ${lacking.join(', ')}` }
  const place = (program: string): string => places.get(program) ?? program
  const isRoot = process.getuid?.() === 0
  const sudo = places.get('sudo')
  if (!isRoot && sudo === undefined) return { trouble: 'the Action does not run as root, and there is no sudo' }
  const prefix = isRoot || sudo === undefined ? [] : [sudo, '-n', '--']
  const run: Machine['run'] = (program, ...args) => {
    const [first = '', ...rest] = [...prefix, place(program), ...args]
    return runProgram(first, rest, { cwd: '/', env: systemEnv })
  }
  const may = await run('id', '-u')
  if (!may.ok) return { trouble: `sudo asks for a password here: ${may.trouble}` }
  return { run, place, prefix }
}

type Room = {
  readonly name: string
  readonly base: string
  readonly root: string
  readonly environment: Environment
  readonly leave: () => Promise<void>
}

async function settled(machine: Machine, { name, base, root, environment, leave }: Room): Promise<Guest> {
  const must = async (program: string, ...args: readonly string[]): Promise<string> => {
    const { ok, text, trouble } = await machine.run(program, ...args)
    if (!ok) throw new Error(`${program}: ${trouble}`)
    return text.trim()
  }
  const uid = Number(await must('id', '-u', name))
  if (!Number.isInteger(uid) || uid <= 0 || uid === process.getuid?.()) throw new Error('the new user is nobody new')
  const [work, house, temp] = [join(base, basename(root)), join(base, 'home'), join(base, 'temp')]
  await chmod(base, 0o755)
  for (const folder of [house, temp]) await mkdir(folder)
  await must('cp', '-a', '--reflink=auto', '--', root, work)
  await must('chown', '-R', '--no-dereference', `${name}:${name}`, work, house, temp)
  const become = ['--reuid', name, '--regid', name, '--clear-groups', '--no-new-privs', '--']
  const as = [...machine.prefix, machine.place('setpriv'), ...become]
  const home: Home = {
    shell,
    line: (argv, env) => {
      const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`)
      const [program = '', ...args] = [...as, machine.place('env'), '-i', ...variables, ...argv]
      return { program, args, env: systemEnv }
    },
    signal: async (targets, signal) => {
      if (machine.prefix.length === 0) return sendTo(targets, signal)
      await machine.run('kill', '-s', signal.replace(/^SIG/, ''), '--', ...targets.map(String))
    },
    owns: ({ pid }) => uidOf(pid) === uid,
    // The kernel sends this one to everything that the sender may signal, which is all of its own and nothing else.
    sweep: async () => void (await machine.run('setpriv', ...become, machine.place('kill'), '-s', 'KILL', '--', '-1')),
  }
  const own = { HOME: house, USER: name, LOGNAME: name, SHELL: shell, GITHUB_WORKSPACE: work, RUNNER_TEMP: temp, TMPDIR: temp } // prettier-ignore
  return {
    home,
    root: work,
    environment: { ...environment, ...own },
    takeOver: async () => {
      const me = `${process.getuid?.()}:${process.getgid?.()}`
      await must('chown', '-R', '--no-dereference', me, work)
    },
    leave,
  }
}
