// Words at the issue of a request, judged with what GitHub says at that moment: who speaks, what the policy asks, what the
// issue says and when that was written.
import type { Command } from '../../core/people/command.ts'
import { rosterUnder } from '../../core/people/roster.ts'
import { accountKey } from '../../core/people/people.ts'
import { notARequestText, requestText } from '../../core/words/issues/request-page.ts'
import { inTurn } from '../engine.ts'
import { requestAt, requestRef, tellRequest } from '../issues/issue-record.ts'
import { answer, type Outcome, type Scene } from '../issues/scene.ts'
import { accepted, refusalsAnswered } from '../heard/speak.ts'
import { seeRequest } from './see-request.ts'
import { settleRequest } from './settle-request.ts'

type RequestCommand = Extract<Command, { name: 'request' }>

export async function requestCommanded(scene: Scene, command: RequestCommand, spoken: string): Promise<Outcome> {
  const { engine, repository, forge, person, news, key, told } = scene
  const ref = requestRef(repository, news.issue)
  const { verb, text } = command
  const request = await requestAt(engine, ref)
  if (request.status === 'none') return answer(notARequestText(verb))
  if (verb === 'status') return answer(requestText(request))
  const before = request.refusals[accountKey(person)] ?? 0
  const { census } = rosterUnder(scene.governed.policy.identities, await forge.census())
  const { at, through } = news
  const saying = { key, user: person, sha: '', source: 'comment', census, text: spoken, at, through } as const
  const events = await inTurn(engine, ref.stream, async () => {
    const looked = await seeRequest(engine, forge, ref, told)
    if (looked === null) return []
    const { issue, governed } = looked
    const { edited_at } = issue
    const { policy, request: terms } = governed
    const isCopied = verb === 'approve' && terms.task === 'new'
    const body = isCopied ? await engine.aside.copied(issue.body, repository.key) : null
    const act = { verb, text, saying, terms, policy, edited_at, body }
    return (await tellRequest(engine, ref, { type: 'give_request_command', ...act }, told)).events
  })
  await refusalsAnswered(forge, news.issue, person, events, before)
  const done = accepted(events)
  // Whoever spoke knows at once that they were heard; what follows from it comes when it comes.
  if (done) engine.onIssueTask(ref)
  else await settleRequest(engine, ref)
  return { done, reply: null }
}
