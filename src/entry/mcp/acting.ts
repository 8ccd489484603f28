// What every tool that changes something begins with: whoever calls speaks for the owner of the token, and for nobody else,
// about what is judged now.
import { z } from 'zod'
import { jsonIn } from '../../core/json.ts'
import { isRepositoryName } from '../../core/repository-name.ts'
import { attemptSchema, type AttemptDocument } from '../../core/words/documents/attempt-schema.ts'
import { pullNamed, type PullNamed } from '../attempts/pull-named.ts'
import { Refused } from './refused.ts'
import { asJson, type Answered, type Call, type Hands } from './row.ts'
import type { Said, Speaking } from './speaking.ts'

const WORDS_LENGTH_MAX = 1_900

export const task_id = z
  .string()
  .max(300)
  .regex(/[#/]/, 'is written owner/repo#7')
  .describe('The pull request: `owner/repo#7`, or its address. Where the App is asked, its issue will do.')
export const issue_id = z
  .string()
  .max(300)
  .regex(/[#/]/, 'is written owner/repo#7')
  .describe('The issue: `owner/repo#7`.')
export const agent_name = z.string().max(100).describe('Your own login at GitHub. It must be that of the token.')
export const words = z.string().trim().max(WORDS_LENGTH_MAX)
export const project = z
  .string()
  .max(200)
  .refine(isRepositoryName, 'is written owner/repo')
  .describe('The repository, as `owner/repo`.')

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const nothingThere = (name: string): never => {
  throw new Refused(`Nothing was judged at ${oneLine(name)} yet.`)
}

export async function standing(hands: Hands, name: string): Promise<Answered<AttemptDocument>> {
  const { text } = await hands.read(pullNamed(name))
  const structured = text === null ? undefined : attemptSchema.safeParse(jsonIn(text)).data
  return text === null || structured === undefined ? nothingThere(name) : { text, structured }
}

export async function aPerson({ hands }: Call): Promise<{ speaking: Speaking; login: string }> {
  const speaking = await hands.speaking()
  const login = await speaking.login()
  if (login === null) throw new Refused('This token is no person’s, and only somebody with a name can do this.')
  return { speaking, login }
}

/** Whoever calls speaks for the owner of the token, and for nobody else. */
export async function asThemselves(call: Call, given: string): Promise<{ speaking: Speaking; login: string }> {
  const { speaking, login } = await aPerson(call)
  if (login.toLowerCase() !== given.toLowerCase().replace(/^@/, '')) {
    throw new Refused(
      `\`agent_name\` is ${oneLine(given)}, and this token is ${login}’s: it speaks for ${login} alone.`,
    )
  }
  return { speaking, login }
}

type Named = { readonly agent_name: string; readonly task_id: string }

/** About the commit that was judged, which is the newest one. */
export async function atTheHead(call: Call, { agent_name: given, task_id: name }: Named) {
  const { speaking } = await asThemselves(call, given)
  const { structured: document } = await standing(call.hands, name)
  if (document.pull === null) throw new Refused('That is no pull request.')
  const pull: PullNamed = { repository: document.repository, number: document.pull }
  const { sha, url } = await speaking.headOf(pull)
  if (sha !== document.head_sha) {
    throw new Refused(
      `The head is ${sha.slice(0, 7)} by now, which is not judged yet: wait for its decision, and read it.`,
    )
  }
  return { speaking, document, pull, url }
}

export async function act(call: Call, input: Named, command: string): Promise<Answered<Said>> {
  const { pull, document, speaking } = await atTheHead(call, input)
  return told(await speaking.say(pull, command, document.head_sha))
}

/** What was refused is an error, so that nobody takes it for done. */
export function told<Outcome extends Pick<Said, 'outcome' | 'words'>>(said: Outcome): Answered<Outcome> {
  if (said.outcome === 'refused') throw new Refused(said.words)
  return asJson(said)
}
