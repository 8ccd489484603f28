// The gallery: every state of a pull request as GitHub shows it, made by the rules and the words of the product itself. The
// document for programs is left out; it says the same.
import { readFile } from 'node:fs/promises'
import type { Shown } from '../../src/core/decision/shown/owed.ts'
import { sayRefusal } from '../../src/core/words/say-refusal.ts'
import { playCase, type Played } from '../../src/entry/cli/cases/play-case.ts'
import { readCases, type ReadCase } from '../../src/entry/cli/cases/read-cases.ts'
import { circumstances } from './circumstances.ts'
import { requests } from './requests.ts'
import { answers, goals, reviewed } from './spoken.ts'
import { shownOf, type State } from './state.ts'

const file = new URL('states.yml', import.meta.url)

export async function gallery(): Promise<string> {
  const states = [...(await ofTheRules()), ...circumstances, ...(await reviewed()), ...answers, ...goals, ...requests]
  return `${beginning}\n${states.map(section).join('\n')}`
}

const beginning = `# Gallery

Every state of a pull request as people see it on GitHub: the check run with its page, labels, the comment, the review, and what
is answered. \`npm run gallery\` makes this file from the rules and the words themselves, and a test holds it against them. What is
folded for programs is left out.
`

export const cases = async (): Promise<ReadCase[]> =>
  readCases(await readFile(file, 'utf8'), 'states.yml', () =>
    Promise.reject(new Error('The states bring their own policy')),
  )

const ofTheRules = async (): Promise<State[]> =>
  (await cases()).map(({ name: title, given, policy }) => {
    const { task, said } = playCase(given, policy)
    return { title, shown: shownOf(task), replies: repliesTo(said) }
  })

function repliesTo(said: Played['said']): string[] {
  return said.flatMap((event) =>
    event.type === 'OverrideDenied' || event.type === 'CommandRefused' ? [sayRefusal(event.data)] : [],
  )
}

const section = ({ title, shown, replies }: State): string =>
  [`## ${title}`, ...shown.map(picture), ...replies.map((body) => framed('Answer', body))].join('\n\n') + '\n'

function picture(shown: Shown): string {
  switch (shown.kind) {
    case 'check_run':
      return framed(`Check run \`${shown.name}\`, ${shown.conclusion ?? 'in progress'}: ${shown.title}`, shown.summary)
    case 'sticky':
      return framed('Comment', shown.body)
    case 'note':
      return framed('Comment of its own', shown.body)
    case 'part':
      return `**A part of it:** ${shown.title}`
    case 'issue':
      return `**Its issue is** ${shown.open ? 'open' : 'closed'}`
    case 'labels':
      return `**Labels:** ${shown.labels.map((label) => `\`${label}\``).join(', ') || 'none'}`
    case 'deployment':
      return framed(`Deployment to \`${shown.environment}\`, ${shown.answer ?? 'waiting'}`, shown.words)
    case 'review_request':
      return `**Review asked of** ${[...shown.from, ...(shown.admins ? ['the administrators'] : [])].join(', ') || 'nobody any more'}`
    case 'verifier_review': {
      const { body, comments, closings } = shown.review
      return [
        ...(body === null ? [] : [framed('Review', body)]),
        ...comments.map((one) => framed(`At \`${one.path}:${one.line}\``, one.body)),
        ...closings.map(({ words }) => framed('Above what it said before', words)),
      ].join('\n\n')
    }
  }
}

const framed = (what: string, body: string): string =>
  `**${what}**\n\n${forPeople(body).replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '')}`

/** Without what is folded for programs, and without marks that nobody sees. */
const forPeople = (body: string): string =>
  body
    .replaceAll(/<!--.*?-->\n*/gs, '')
    .replaceAll(/<details>\s*<summary>[^\n]*<\/summary>\s*```json.*?<\/details>/gs, '')
    .trim()
