// What a model wrote, made fit to be posted: it mentions nobody, refers to nothing, commands no bot, links nowhere, hides
// nothing and cannot pose as us. One pass is repeated until it changes nothing more, since what one replacement leaves
// may be something that another one is for.
import { secretFormats } from '../secret-formats.ts'
import { spelled, unseen, upTo } from '../visible.ts'
import { fenced } from './untrusted.ts'

const ROUNDS_MAX = 5
const SECRET_PIECE = 16
const secretMark = '⟦SECRET⟧'

export function harmless(text: string, secrets: readonly string[] = []): string {
  let before = text.replaceAll('\r\n', '\n')
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const after = once(before, secrets)
    if (after === before) return after
    before = after
  }
  return fenced(withoutSecrets(text.replaceAll(hidden, spelled), secrets), 'text')
}

/** For a place in a sentence of ours. */
export function harmlessLine(text: string, max = 400): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return harmless(line.length <= max ? line : `${upTo(line, max - 1)}…`)
}

const hidden = new RegExp(unseen, 'gu')

function once(text: string, secrets: readonly string[]): string {
  const shown = withoutSecrets(text.replaceAll(hidden, spelled), secrets)
  return shown.split('\n').map(lineOnce).join('\n')
}

/** A code span is inert, if nothing before it takes its first tick away. */
function lineOnce(line: string): string {
  const parts = line.replaceAll(/\\+(?=`)/g, '').split(/(`[^`]+`)/)
  const clean = parts.map((part, index) => (index % 2 === 1 ? part : plain(part, index === 0)))
  return clean.join('').replaceAll('``', '` `')
}

const code = (text: string): string => `\`${text}\``

function plain(text: string, begins: boolean): string {
  const bare = text
    .replaceAll('`', "'")
    .replaceAll('\\', '&#92;')
    .replaceAll(/!+(?=\[)/g, '')
    .replaceAll(
      /\[([^\][]*)\]\(\s*<?(?:\w+:)?(?:\/\/)?([^\s/)>([\]]*)[^)]*\)/g,
      (_, words: string, host: string) => `${words} (${host})`,
    )
    .replaceAll(/\](?=[[(:])/g, '] ')
    .replaceAll(/(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)([^\s/`<>()]*)[^\s`<>()]*/gi, (_, host: string) =>
      code(host || 'link'),
    )
    .replaceAll(/@[\w-]+(?:\/[\w-]+)?/g, code)
    .replaceAll(/(?:[\w.-]+\/[\w.-]+)?#\d+|\bGH-\d+/gi, code)
    .replaceAll(/&(?!(?:amp|lt|gt|#92|#35);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return begins ? atBeginning(bare) : bare
}

/** Where a line begins, other bots look for commands and Markdown for headings and fences. */
const atBeginning = (line: string): string =>
  line
    .replace(
      /^(\s*(?:[-*+]\s+|\d+[.)]\s+|&gt;\s*)*)(\/[\w-]+)/,
      (_, before: string, word: string) => before + code(word),
    )
    .replace(/^(\s*)#/, '$1&#35;')
    .replace(/^(\s*)~{3,}/, "$1'")

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const bare = secretFormats.reduce((rest, format) => rest.replaceAll(format, secretMark), text)
  return secrets.reduce(withoutPieces, bare)
}

/** Any piece of a secret that is long enough to be one. */
function withoutPieces(text: string, secret: string): string {
  let rest = text
  for (let at = 0; at + SECRET_PIECE <= secret.length; at += 1) {
    const piece = secret.slice(at, at + SECRET_PIECE)
    if (rest.includes(piece)) rest = rest.replaceAll(piece, secretMark)
  }
  return rest
}
