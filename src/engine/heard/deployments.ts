// A job of Actions asks whether it may deploy a commit. Its pull request answers, now or once it is a success.
import type { Attempt } from '../../core/decision/model.ts'
import type { News, Repository } from '../../core/news.ts'
import { NotShownYet, type Behind, type Forge } from '../../ports.ts'
import { bringsSuccess, onTopWords, speaksFor } from '../behind.ts'
import { forgeOf, load, type Engine, type TaskRef } from '../engine.ts'
import { pullSeen } from '../attempts/intake.ts'
import { attemptOf, taskOf } from '../attempts/own-task.ts'
import { mayFollow } from './late.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

type Asked = Extract<News, { kind: 'deployment_asked' }>

export async function deploymentAsked(
  engine: Engine<Forge>,
  repository: Repository,
  { sha, run, environment }: Asked,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  const deployment = { run, run_attempt: await forge.runAttempt(run), environment, sha }
  const behind = await forge.pullsBehind(sha)
  const fit = behind.filter(({ base_is_default }) => base_is_default)
  let onTop: Behind | undefined
  for (const one of fit) {
    const judged = await judgedNow(engine, repository, one, correlation_id)
    if (judged === null) continue
    if (!(await bringsSuccess(engine, repository, one))) {
      onTop ??= one
      continue
    }
    const input = { type: 'ask_deployment', attempt_id: judged.attempt.id, ...deployment } as const
    await record(engine, judged.ref, input, { actor: app, correlation_id })
    await settle(engine, judged.ref)
    return
  }
  const words = `${sha.slice(0, 7)} ${cameBy(onTop ?? fit[0] ?? behind[0], onTop !== undefined)}: nothing vouches for it. Somebody who may bypass the protection rules can let it go.`
  const pull = behind[0]?.pull ?? 0
  await forge.show({ kind: 'deployment', pull, ...deployment, answer: null, words }, null)
}

function cameBy(behind: Behind | undefined, isOnTop: boolean): string {
  if (behind === undefined) return 'came by no pull request'
  const { pull, head_sha, base_is_default } = behind
  if (isOnTop) return `came by #${pull}, which ${onTopWords(behind)}`
  const why = base_is_default ? `was not judged at ${head_sha.slice(0, 7)}` : 'is not for the default branch'
  return `came by #${pull}, which ${why}`
}

type Judged = { readonly ref: TaskRef; readonly attempt: Attempt }

/** As GitHub shows it: where nobody told of that yet, it is looked at first. */
async function judgedNow(
  engine: Engine<Forge>,
  repository: Repository,
  behind: Behind,
  correlation_id: string,
): Promise<Judged | null> {
  const known = await judgedAs(engine, repository, behind)
  if (known !== null || !behind.ready) return known
  const { pull } = behind
  await pullSeen(engine, repository, behind, correlation_id)
  const judged = await judgedAs(engine, repository, behind)
  const other = judged === null ? await attemptOf(engine, await taskOf(engine, repository, pull), pull) : null
  if (other !== null && mayFollow(engine, other.head_at))
    throw new NotShownYet(`GitHub shows pull request ${pull} elsewhere than it is judged`)
  return judged
}

/** The same head may have been judged by several policies. */
async function judgedAs(engine: Engine, repository: Repository, behind: Behind): Promise<Judged | null> {
  const ref = await taskOf(engine, repository, behind.pull)
  if (ref === null) return null
  const { task } = await load(engine, ref)
  const found = task.attempts.filter((one) => speaksFor(one, behind))
  const last = found.find(({ id }) => id === task.opened[behind.pull]) ?? found.at(-1)
  const attempt = found.find(({ live }) => live) ?? last
  return attempt === undefined ? null : { ref, attempt }
}
