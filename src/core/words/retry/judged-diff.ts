// The change that was judged, as the next attempt reads it: a unified diff, file by file, after the names of what has no
// lines to show. It goes on record with the list of files, so it is bounded: the beginning stays, and of the rest it is
// known how many lines there were. Secrets are taken out before anything is cut.
import type { ChangedFile, JudgedDiff } from '../../decision/model.ts'
import { upTo } from '../../visible.ts'
import { firstOf, linesOfDiff } from '../text/excerpt.ts'
import { SECRET_LENGTH_MAX } from '../text/redact.ts'
import { shortName } from '../text/within.ts'

/** Of one attempt; a retry context has no room for more. */
const CHARACTERS_MAX = 12_000
const READ_MAX = CHARACTERS_MAX + SECRET_LENGTH_MAX
const NAMED_MAX = 10

/** `patches` are the hunks by path, without those of files that nobody shows the lines of. */
export function judgedDiff(
  files: readonly ChangedFile[],
  patches: ReadonlyMap<string, string>,
  redact: (text: string) => string,
): JudgedDiff {
  const bare = files.filter(({ path }) => !patches.has(path))
  const named = bare.length === 0 ? [] : [redact(notShown(bare))]
  const read = beginning(files.flatMap((file) => sectionOf(file, patches.get(file.path))))
  const clean = redact(read.text)
  // A secret that goes on beyond what was read is not known for one. No secret is longer than what is left out here.
  const lines = read.isWhole ? linesOfDiff(clean) : linesOfDiff(clean.slice(0, -SECRET_LENGTH_MAX)).slice(0, -1)
  const kept = fitting([...named, ...lines])
  return {
    text: kept.join('\n'),
    omitted_lines: read.unread + named.length + linesOfDiff(clean).length - kept.length,
  }
}

function sectionOf({ path, previous_path, status }: ChangedFile, patch: string | undefined): string[] {
  if (patch === undefined) return []
  const before = status === 'added' ? '/dev/null' : quotedPath(`a/${previous_path ?? path}`)
  const after = status === 'removed' ? '/dev/null' : quotedPath(`b/${path}`)
  const hunks = patch.replace(/\n$/, '')
  return [`--- ${before}\n+++ ${after}${hunks === '' ? '' : `\n${hunks}`}`]
}

/** As git does it, so that a name cannot pose as a line. */
const quotedPath = (path: string): string => (/["\\\p{Cc}]/u.test(path) ? JSON.stringify(path) : path)

const notShown = (files: readonly ChangedFile[]): string =>
  `Not shown: ${firstOf(
    files.map(({ path }) => shortName(quotedPath(path))),
    NAMED_MAX,
  ).list.join(', ')}`

/** As much of it as can hold what is kept and a secret behind that, and how many lines come after it. */
function beginning(sections: readonly string[]) {
  let text = ''
  let lines = 0
  let length = 0
  for (const section of sections) {
    const whole = text === '' ? section : `\n${section}`
    lines += section.split('\n').length
    length += whole.length
    text += upTo(whole, Math.max(0, READ_MAX - text.length))
  }
  return { text, unread: text === '' ? 0 : lines - text.split('\n').length, isWhole: length === text.length }
}

function fitting(lines: readonly string[]): readonly string[] {
  let left = CHARACTERS_MAX
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0)
  return end === -1 ? lines : lines.slice(0, end)
}
