// A job of Actions asks whether it may deploy a commit. Its pull request answers, now or once it is a success.
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { taskOf } from '../attempts/own-task.ts'
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
  const pull = await forge.pullBehind(sha)
  const ref = pull === null ? null : await taskOf(engine, repository, pull)
  const attempt = ref === null || pull === null ? undefined : lastAttempt((await load(engine, ref)).task, pull)
  if (ref === null || attempt === undefined) {
    const from = pull === null ? 'came by no pull request' : `came by #${pull}, which was not judged`
    const words = `${sha.slice(0, 7)} ${from}: nothing vouches for it. Somebody who may bypass the protection rules can let it go.`
    await forge.show({ kind: 'deployment', pull: pull ?? 0, run, environment, answer: null, words }, null)
    return
  }
  const input = { type: 'ask_deployment', attempt_id: attempt.id, run, environment, sha } as const
  await record(engine, ref, input, { actor: app, correlation_id })
  await settle(engine, ref)
}
