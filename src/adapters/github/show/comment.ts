// Comments that are written once, and reactions to those of others. https://docs.github.com/en/rest/issues/comments
import { botOf, type Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orMissing } from '../status.ts'
import { courtesy } from './courtesy.ts'
import { fitting } from './fitting.ts'

/** Ours is among the first; whoever commented a thousand times before it makes us write another. */
const COMMENT_PAGES_MAX = 10

export async function createComment({ octokit, place }: Access, pull: number, text: string): Promise<{ ref: string }> {
  const body = fitting(text, 'comment')
  const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: pull, body })
  return { ref: String(data.id) }
}

/** A process may have died between saying it and knowing that it did: what bears the mark is said. */
export async function sayOnce(access: Access, issue: number, words: string, mark: string): Promise<{ ref: string }> {
  const hidden = `<!-- countersign:${mark} -->`
  const said = await ownComment(access, issue, (body) => body.endsWith(hidden))
  return said === null ? createComment(access, issue, `${words}\n${hidden}`) : { ref: String(said) }
}

/** The first of ours that is it, among so many as are there now. */
export async function ownComment(
  access: Access,
  issue_number: number,
  isIt: (body: string) => boolean,
): Promise<number | null> {
  const { octokit, place } = access
  const comments = await allPages(COMMENT_PAGES_MAX, async (page) => {
    const asked = { ...place, issue_number, per_page: PER_PAGE, page, request: { fresh: true } }
    return (await octokit.rest.issues.listComments(asked)).data
  })
  const ours = comments.find(({ user, body = '' }) => user?.login === botOf(access) && isIt(body))
  return ours?.id ?? null
}

export async function reply(access: Access, pull: number, text: string): Promise<void> {
  await courtesy(access, `a reply on pull request ${pull}`, null, () => createComment(access, pull, text))
}

export async function react(access: Access, comment_id: number, content: 'eyes' | '+1' | '-1'): Promise<void> {
  const { octokit, place } = access
  await courtesy(access, `a reaction to comment ${comment_id}`, null, () =>
    octokit.rest.reactions.createForIssueComment({ ...place, comment_id, content }),
  )
}

export async function removeLabel(access: Access, pull: number, name: string): Promise<void> {
  const { octokit, place } = access
  await courtesy(access, `the removal of a label from pull request ${pull}`, null, () =>
    orMissing(octokit.rest.issues.removeLabel({ ...place, issue_number: pull, name })),
  )
}
