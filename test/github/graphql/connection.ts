// Lists in pages. A cursor is the number of items before the next one.
import { number, text, type Fields } from '../fields.ts'

export function connection(items: readonly object[], args: Fields) {
  const last = number(args, 'last')
  const from = last === null ? Number(text(args, 'after') ?? 0) : Math.max(0, items.length - last)
  const to = from + (number(args, 'first') ?? last ?? 100)
  const nodes = items.slice(from, to)
  const endCursor = nodes.length === 0 ? null : `${from + nodes.length}`
  return {
    __typename: 'Connection',
    totalCount: items.length,
    nodes,
    edges: nodes.map((node, index) => ({ __typename: 'Edge', cursor: `${from + index + 1}`, node })),
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
      endCursor,
      startCursor: null,
    },
  }
}
