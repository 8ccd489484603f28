// Answers that are true of another moment, or full of holes, as GitHub's sometimes are.
// https://docs.github.com/en/graphql/guides/introduction-to-graphql#connection (nodes are nullable)
import { isFields } from '../fields.ts'
import { mutatedIn } from '../graphql/parse.ts'
import type { Ends } from '../model.ts'
import { endsOf, pullsOf, type PullIssue, type World } from '../world.ts'
import type { Answer } from './call.ts'
import type { Trouble } from './faults.ts'

type Asked = { readonly method: string; readonly path: string; readonly body: string }

export function distorted<T extends { readonly answer: Answer | 'reset' }>(
  world: World,
  asked: Asked,
  troubles: readonly Trouble[],
  answer: () => T,
): T {
  const stale = troubles.filter((one) => one.kind === 'stale')
  const outcome = stale.length > 0 && isRead(asked) ? asBefore(world, stale, answer) : answer()
  const holes = troubles.filter((one) => one.kind === 'null')
  if (holes.length === 0 || outcome.answer === 'reset') return outcome
  const body = holes.reduce<unknown>((value, hole) => withHoles(value, hole), plain(outcome.answer.body))
  // Whatever was left out, it is another answer than the whole one.
  const { etag: _etag, ...headers } = outcome.answer.headers ?? {}
  return { ...outcome, answer: { ...outcome.answer, headers, body } }
}

const isRead = ({ method, path, body }: Asked): boolean =>
  method === 'GET' || (path === '/graphql' && mutatedIn(body).length === 0)

/** Requests are answered in one go, so nobody else sees the world as it was. */
function asBefore<T>(world: World, stale: readonly { readonly pull?: number }[], answer: () => T): T {
  const pulls = [...world.state.repos.values()].flatMap(pullsOf).filter(({ number }) => {
    return stale.some(({ pull }) => pull === undefined || pull === number)
  })
  const put = pulls.map(turnBack)
  try {
    return answer()
  } finally {
    for (const forward of put) forward()
  }
}

function turnBack(one: PullIssue): () => void {
  const now = endsOf(one)
  setEnds(one, one.pull.before ?? now)
  return () => setEnds(one, now)
}

function setEnds(one: PullIssue, { updatedAt, ...ends }: Ends): void {
  Object.assign(one.pull, ends)
  one.updatedAt = updatedAt
}

const plain = (body: unknown): unknown => (Buffer.isBuffer(body) ? body : JSON.parse(JSON.stringify(body)))

function withHoles(value: unknown, hole: Extract<Trouble, { kind: 'null' }>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withHoles(one, hole))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const inner = withHoles(one, hole)
      if (name !== hole.field) return [name, inner]
      if (!Array.isArray(inner) || hole.where === 'instead') return [name, null]
      return [name, hole.where === 'first' ? [null, ...inner] : []]
    }),
  )
}
