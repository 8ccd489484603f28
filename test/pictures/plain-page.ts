// Markdown as the App writes it, as a plain page: what GitHub's own frame adds is left out. Tables stand in paragraphs for
// a parser that knows only CommonMark, and are made here.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes, Paragraph } from 'mdast'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const htmlOf = (markdown: string): string => pieces(fromMarkdown(markdown), markdown)

const pieces = (node: Nodes, source: string): string =>
  'children' in node ? node.children.map((child) => piece(child, source)).join('') : ''

function piece(node: Nodes, source: string): string {
  const inner = (): string => pieces(node, source)
  switch (node.type) {
    case 'text':
      return escaped(node.value)
    case 'inlineCode':
      return `<code>${escaped(node.value)}</code>`
    case 'code':
      return `<pre><code>${escaped(node.value)}</code></pre>\n`
    // Only our own words bring any: `br` and `details`.
    case 'html':
      return node.value
    case 'strong':
      return `<strong>${inner()}</strong>`
    case 'emphasis':
      return `<em>${inner()}</em>`
    case 'heading':
      return `<h${node.depth}>${inner()}</h${node.depth}>\n`
    case 'list':
      return `<ul>\n${inner()}</ul>\n`
    case 'listItem':
      return `<li>${node.children.map((child) => (child.type === 'paragraph' ? pieces(child, source) : piece(child, source))).join('')}</li>\n`
    case 'blockquote':
      return `<blockquote>\n${inner()}</blockquote>\n`
    case 'link':
      return `<a href="${escaped(node.url)}">${inner()}</a>`
    case 'paragraph':
      return tableOf(node, source) ?? `<p>${inner()}</p>\n`
    case 'root':
      return inner()
    case 'break':
      return '<br>'
    case 'delete':
    case 'definition':
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'image':
    case 'imageReference':
    case 'linkReference':
    case 'table':
    case 'tableCell':
    case 'tableRow':
    case 'thematicBreak':
    case 'yaml':
      throw new Error(`The pages of the App have no ${node.type} that a picture could show`)
  }
}

/** https://github.github.com/gfm/#tables-extension- */
function tableOf({ position }: Paragraph, source: string): string | null {
  const text = source.slice(position?.start.offset, position?.end.offset)
  const [head = '', rule = '', ...rows] = text.split('\n').map((line) => line.trim())
  if (!/^\|( ?:?-+:? ?\|)+$/.test(rule)) return null
  const row = (line: string, tag: 'th' | 'td'): string => {
    const cells = line
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split(/(?<!\\)\|/)
    return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>\n`
  }
  return `<table>\n${row(head, 'th')}${rows.map((line) => row(line, 'td')).join('')}</table>\n`
}

const inline = (markdown: string): string =>
  htmlOf(markdown.replaceAll('\\|', '|'))
    .trim()
    .replace(/^<p>([^]*)<\/p>$/, '$1')

const style = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0;padding:20px 24px;width:760px;box-sizing:border-box;background:light-dark(#fff,#0d1117);color:light-dark(#1f2328,#e6edf3)}
h1{font-size:18px;margin:0 0 4px}h3{font-size:16px;margin:16px 0 4px}p{margin:0 0 8px}ul{margin:0 0 8px;padding-left:22px}
.top{display:flex;gap:10px;align-items:baseline;border-bottom:1px solid light-dark(#d1d9e0,#3d444d);padding-bottom:10px;margin-bottom:14px}
.name{font-weight:600}.conclusion{color:light-dark(#cf222e,#f85149)}
code{font:13px ui-monospace,monospace;background:light-dark(#818b981f,#656c7633);padding:2px 5px;border-radius:5px}
table{border-collapse:collapse;margin-top:10px}th,td{border:1px solid light-dark(#d1d9e0,#3d444d);padding:5px 12px;text-align:left;vertical-align:top}`

/** A check run: its name, how it ended, and its page. */
export const checkPage = (name: string, conclusion: string, summary: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(name)}</title>
<style>${style}</style>
<div class="top"><span class="name">${escaped(name)}</span><span class="conclusion">${escaped(conclusion)}</span></div>
${htmlOf(summary)}</html>
`
