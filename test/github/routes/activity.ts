// Who moved which branch when: what a commit does not tell. Paged by cursors, since it goes on growing.
// https://docs.github.com/en/rest/repos/repos#list-repository-activities
import type { Activity } from '../model.ts'
import { nodeId, user } from '../shapes/account.ts'
import type { Answer, RepoCall } from '../wire/call.ts'

const perPageDefault = 30
const perPageMax = 100

export function activity(call: RepoCall): Answer {
  const { query, repo, world } = call
  const listed = repo.activities.filter((one) => isWanted(one, query))
  const inOrder = query.get('direction') === 'asc' ? listed : listed.toReversed()
  const [after, before] = [query.get('after'), query.get('before')]
  const perPage = Math.min(Number(query.get('per_page') ?? perPageDefault), perPageMax)
  const from = after === null ? 0 : placeOf(inOrder, after) + 1
  const start = before === null ? from : Math.max(placeOf(inOrder, before) - perPage, 0)
  const page = inOrder.slice(start, start + perPage)
  const body = page.map(({ id, before: was, after: is, ref, kind, actor, at }) => ({
    id,
    node_id: nodeId('PSH', id),
    before: was,
    after: is,
    ref,
    timestamp: at,
    activity_type: kind,
    actor: user(world, actor),
  }))
  const links = [
    ...(start + perPage < inOrder.length ? [link(call, 'after', page.at(-1), 'next')] : []),
    ...(start > 0 ? [link(call, 'before', page[0], 'prev')] : []),
  ]
  return { status: 200, body, ...(links.length === 0 ? {} : { headers: { link: links.join(', ') } }) }
}

const isWanted = (one: Activity, query: URLSearchParams): boolean => {
  const ref = query.get('ref')?.replace(/^(refs\/heads\/)?/, 'refs/heads/')
  const [actor, kind] = [query.get('actor')?.toLowerCase(), query.get('activity_type')]
  return (
    (ref === undefined || one.ref === ref) &&
    (actor === undefined || one.actor.login.toLowerCase() === actor) &&
    (kind === null || one.kind === kind)
  )
}

const placeOf = (listed: readonly Activity[], cursor: string): number =>
  listed.findIndex(({ id }) => id === Number(Buffer.from(cursor, 'base64url').toString()))

function link({ world, path, query }: RepoCall, name: string, one: Activity | undefined, rel: string): string {
  const next = new URLSearchParams([...query].filter(([key]) => key !== 'after' && key !== 'before'))
  next.set(name, Buffer.from(`${one?.id}`).toString('base64url'))
  return `<${world.url}${path}?${next.toString()}>; rel="${rel}"`
}
