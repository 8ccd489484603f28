// The little of XML that a test report needs: elements, attributes and text, in one pass over the characters. Entities
// that a document declares itself are not known here, so none can grow; a document type is skipped unread.

export type XmlVisitor = {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void
  readonly text: (text: string) => void
  readonly close: (name: string) => void
}

const ATTRIBUTES_MAX = 50
const builtIn = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])
const attribute = /([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Reads as far as it goes: a report that is cut off has told what came before. */
export function readXml(source: string, visitor: XmlVisitor): void {
  let at = 0
  while (at < source.length) {
    const open = source.indexOf('<', at)
    const end = open === -1 ? source.length : open
    if (end > at) visitor.text(decoded(source.slice(at, end)))
    if (open === -1) return
    at = readMarkup(source, open, visitor)
  }
}

/** Answers where the text goes on. */
function readMarkup(source: string, open: number, visitor: XmlVisitor): number {
  const after = (mark: string, from: number): number => {
    const found = source.indexOf(mark, from)
    return found === -1 ? source.length : found + mark.length
  }
  if (source.startsWith('<!--', open)) return after('-->', open + 4)
  if (source.startsWith('<![CDATA[', open)) {
    const end = after(']]>', open + 9)
    visitor.text(source.slice(open + 9, Math.max(open + 9, end - 3)))
    return end
  }
  if (source.startsWith('<?', open)) return after('?>', open + 2)
  if (source.startsWith('<!', open)) return afterDoctype(source, open)
  const end = tagEnd(source, open)
  readTag(source.slice(open + 1, end - 1), visitor)
  return end
}

function readTag(tag: string, visitor: XmlVisitor): void {
  const [name = ''] = /^[^\s/>]+/.exec(tag.replace(/^\//, '')) ?? []
  if (tag.startsWith('/')) return visitor.close(name)
  const attributes = new Map<string, string>()
  for (const [, key = '', double, single] of tag.slice(name.length).matchAll(attribute)) {
    if (attributes.size >= ATTRIBUTES_MAX) break
    attributes.set(key, decoded(double ?? single ?? ''))
  }
  visitor.open(name, attributes)
  if (tag.endsWith('/')) visitor.close(name)
}

/** A `>` within quotes does not end a tag. */
function tagEnd(source: string, open: number): number {
  let quote: string | null = null
  for (let at = open + 1; at < source.length; at += 1) {
    const sign = source[at]
    if (quote !== null) {
      if (sign === quote) quote = null
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return source.length
}

function afterDoctype(source: string, open: number): number {
  let depth = 0
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === '[') depth += 1
    else if (source[at] === ']') depth -= 1
    else if (source[at] === '>' && depth <= 0) return at + 1
  }
  return source.length
}

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[\da-fA-F]{1,6}|#\d{1,7}|\w{1,10});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return builtIn.get(name) ?? whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
