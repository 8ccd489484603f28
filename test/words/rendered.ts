// What Markdown and GitHub would act on in a text of ours: read with a parser, and then, in whatever is no code, with the
// patterns by which GitHub links. And a generator of what hostile people write.
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes } from 'mdast'
import { emoji, unseen } from '../../src/core/visible.ts'

const autolinks: readonly (readonly [string, RegExp])[] = [
  ['a mention', /(?<![\w`])@[a-z\d][a-z\d-]*(?:\/[\w.-]+)?/i],
  ['an address', /[\w.+-]+@[\w-]+\.\w+/],
  ['a link', /\b(?:https?|ftp):\/\/|\bwww\.\w|\b(?:mailto|xmpp):\w/i],
  ['an issue', /(?<![\w&])(?:[\w.-]+\/[\w.-]+)?#\d+\b|\bGH-\d+/i],
  ['a commit', /(?<![\w])[0-9a-f]{7,40}(?![\w])/i],
  ['an advisory', /\b(?:GHSA|CVE)-\w/i],
  ['a box to tick', /^\s*\[[ x]\]\s/i],
  ['a footnote', /\[\^[^\]]+\]/],
  ['an emoji by its name', /:[a-z_+-]+:/],
]
const hides = (text: string): boolean =>
  new RegExp(unseen, 'u').test(emoji.reduce((rest, sign) => rest.replaceAll(sign, ' '), text))

/** What we write ourselves beside plain text. */
const harmlessKinds: readonly Nodes['type'][] = [
  'root',
  'paragraph',
  'text',
  'inlineCode',
  'list',
  'listItem',
  'strong',
  'blockquote',
  'code',
  'heading',
  'break',
]

export type Acts = { readonly kind: string; readonly text: string }

/** `allowed`: HTML of ours, the text of our own headings, and whom we mean to mention. */
export function actsIn(
  markdown: string,
  allowed: {
    readonly html?: RegExp
    readonly headings?: RegExp
    readonly emphasis?: boolean
    readonly text?: RegExp
  } = {},
): Acts[] {
  const found: Acts[] = []
  const visit = (node: Nodes): void => {
    const source = markdown.slice(node.position?.start.offset, node.position?.end.offset)
    if (node.type === 'html') {
      if (allowed.html?.test(node.value) !== true) found.push({ kind: 'html', text: node.value })
    } else if (node.type === 'heading') {
      if (allowed.headings?.test(source) !== true) found.push({ kind: 'heading', text: source })
    } else if (node.type === 'emphasis' || node.type === 'thematicBreak') {
      if (allowed.emphasis !== true) found.push({ kind: node.type, text: source })
    } else if (!harmlessKinds.includes(node.type)) found.push({ kind: node.type, text: source })
    if (node.type === 'text') {
      // Text nodes hold what is shown, so entities are signs here, as they are when GitHub looks for links.
      const bare = allowed.text === undefined ? node.value : node.value.replaceAll(allowed.text, ' ')
      if (hides(node.value)) found.push({ kind: 'something hidden', text: node.value })
      for (const [kind, form] of autolinks) if (form.test(bare)) found.push({ kind, text: node.value })
    } else if (node.type === 'inlineCode' || node.type === 'code') {
      if (hides(node.value)) found.push({ kind: 'something hidden', text: node.value })
    }
    if ('children' in node) node.children.forEach(visit)
  }
  visit(fromMarkdown(markdown))
  return found
}

// prettier-ignore
const pieces = [
  '@ada', '@acme/core', 'eve@example.com', '#12', 'acme/shop#12', 'GH-12', 'fixes ', 'closes #1', 'a1b2c3d', '0123456789abcdef0123456789abcdef01234567',
  'https://evil.example/x', 'http://', 'www.evil.example', 'mailto:a@b.c', '[x](http://y.z)', '![x](y)', '[x][1]', '[1]: http://y.z', '[^1]', '[^1]: note',
  '- [ ] x', '[x] y', '<!--', '-->', '<!-- countersign:sticky -->', '</details>', '<img src=x>', '<a href="//x">', '</summary>', '<script>', '<', '>',
  '&#64;ada', '&#35;12', '&lt;', '&', '`', '``', '```', '~~~', '```\n', '\n```\n', '\\', '\\`', '# H', '## H', '===', '---', '***', '* * *', '1. ', '- ', '+ ', '> ',
  '| a | b |', '|---|---|', '|', '**', '__', '_', '*', '~~', '$x$', ':tada:', '/merge', '/override x', '\n', '\n\n', '\r\n', '\r', '\t', ' ', '    ', 'word', 'snake_case',
  '\u200b', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u3164', '\u{e0041}', '\ud800', '\u0000', '\u001b[31m', '\u2028', '👩‍💻', '✔️', 'é', '漢字', "'", '"', '(', ')', '!', ':', '.', ',', '…', '⟦', '⟧',
]
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6, unit: 'binary' }) },
)
export const nasty: fc.Arbitrary<string> = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
