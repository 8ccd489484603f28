// Where a Markdown page points to, and the headings that can be pointed at. Written for GitHub's own rendering.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes } from 'mdast'

/** The targets of links, images and link definitions, as written. */
export function linkTargets(markdown: string): readonly string[] {
  return everyNode(fromMarkdown(markdown)).flatMap((node) => ('url' in node ? [node.url] : []))
}

/** The fragments of all headings. GitHub numbers headings of the same words from the second on. */
export function headingAnchors(markdown: string): readonly string[] {
  const seen = new Map<string, number>()
  return everyNode(fromMarkdown(markdown))
    .filter((node) => node.type === 'heading')
    .map((heading) => {
      const anchor = anchorOf(everyNode(heading).map(ownText).join(''))
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return before === 0 ? anchor : `${anchor}-${before}`
    })
}

const everyNode = (node: Nodes): readonly Nodes[] => [
  node,
  ...('children' in node ? node.children.flatMap((child) => everyNode(child)) : []),
]

const ownText = (node: Nodes): string => (node.type === 'text' || node.type === 'inlineCode' ? node.value : '')

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}
