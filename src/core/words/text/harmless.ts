// What a model wrote, made fit to be posted: it mentions nobody, refers to nothing, commands no bot, links nowhere, hides
// nothing and cannot pose as us. One pass is repeated until it changes nothing more, since what one replacement leaves
// may be something that another one is for.
import { withoutKeys } from '../../private-keys.ts'
import { secretFormats } from '../../secret-formats.ts'
import { spelled, unseen, upTo } from '../../visible.ts'
import { besideCode, inertBlockLine } from './neutral.ts'
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

/** A list stays a list; what its entries begin with is looked at like the beginning of a line. */
function lineOnce(line: string): string {
  // A bullet alone would make a heading of the line before it.
  const [bullets = ''] = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?=\S)/.exec(line) ?? []
  return bullets + inertBlockLine(besideCode(line.slice(bullets.length), withoutTargets))
}

/** Of a link the words stay and where it would have led, as far as its host. */
const withoutTargets = (part: string): string =>
  part
    .replaceAll(/!+(?=\[)/g, '')
    .replaceAll(/\[([^\][]*)\]\(([^)]*)\)/g, (_, words: string, target: string) => `${words} (${hostOf(target)})`)
    .replaceAll(
      /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)([^\s/`<>()]*)[^\s`<>()]*/gi,
      (_, host: string) => `\`${host || 'link'}\``,
    )

/** Whatever stands before the host is taken for a scheme, however many there are and whether they are any. */
function hostOf(target: string): string {
  const bare = target.trim().replace(/^<?(?:[^\s/:]*:(?!\d))*\/*/, '')
  return /^[^\s/:>([\]]*(?::\d+)?/.exec(bare)?.[0] ?? ''
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const bare = secretFormats.reduce(
    (rest, format) => rest.replaceAll(format, secretMark),
    withoutKeys(text, () => secretMark),
  )
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
