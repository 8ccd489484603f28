// Issues are linked to pull requests by hand, in the sidebar, and unlinked. No webhook tells of it; the timelines of both do.
// https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
import type { Link } from '../model.ts'
import type { PullIssue, World } from '../world.ts'

export function link(world: World, { pull }: PullIssue, wish: Pick<Link, 'issue' | 'by' | 'made'>): void {
  if (wish.made) pull.linked.add(wish.issue)
  else pull.linked.delete(wish.issue)
  pull.links.push({ ...wish, id: world.nextId(), at: world.now() })
}
