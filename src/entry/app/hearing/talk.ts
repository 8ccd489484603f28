// Courtesies: replies, thumbs and labels that are taken away. GitHub allows few of them, so each stands in a line of its own,
// stored like a webhook: hearing people and showing the gate never wait for one, and none is lost.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Arrival } from '../../../adapters/inbox/inbox.ts'
import type { Forge, Forges } from '../../../ports.ts'
import { repositoryIn } from '../../../core/names.ts'

/** The name under which a courtesy stands in the inbox; GitHub has no event of this name. */
export const talkEvent = 'countersign.talk'

const said = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('reply'), pull: z.number(), body: z.string() }),
  z.object({ verb: z.literal('react'), comment: z.number(), reaction: z.enum(['eyes', '+1', '-1']) }),
  z.object({ verb: z.literal('unlabel'), pull: z.number(), label: z.string() }),
])
type Said = z.output<typeof said>
export const talkShape = z.object({ repository: z.string(), said })

export type Put = (arrival: Arrival) => Promise<void>

/** Repositories where nobody waits until something is said. */
export const courteous = ({ of }: Forges<Forge>, put: Put): Forges<Forge> => ({
  of: async (stream) => spokenLater(await of(stream), repositoryIn(stream), put),
})

function spokenLater(forge: Forge, repository: string, put: Put): Forge {
  const say = (about: number, one: Said): Promise<void> =>
    put({
      guid: `talk-${randomUUID()}`,
      key: `${repository}#${about}/talk`,
      body: { event: talkEvent, payload: { repository, said: one } },
    })
  return {
    ...forge,
    reply: (pull, body) => say(pull, { verb: 'reply', pull, body }),
    react: (comment, reaction) => say(comment, { verb: 'react', comment, reaction }),
    removeLabel: (pull, label) => say(pull, { verb: 'unlabel', pull, label }),
  }
}

export async function speak(forge: Forge, one: Said): Promise<void> {
  switch (one.verb) {
    case 'reply':
      return forge.reply(one.pull, one.body)
    case 'react':
      return forge.react(one.comment, one.reaction)
    case 'unlabel':
      return forge.removeLabel(one.pull, one.label)
  }
}
