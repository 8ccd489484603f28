// What the verifier reads of a change: every file that GitHub lists for this commit, its hunks, and what kind of thing it is.
// Nothing is left out here. Lines that GitHub does not show are fetched; what cannot be read has no patch, and the rules
// refer it.
import type { Attempt } from '../../../core/decision/model.ts'
import type { Change, FileChange, Hit } from '../../../verifier/change/change.ts'
import type { Access } from '../access.ts'
import { blobBytes, commitFiles } from './commit-files.ts'
import { listedFiles, partingOf, statusOfFile, type Listed } from './files.ts'
import { commitsOf } from '../pulls/pulls.ts'
import type { CommitFile, CommitFiles } from './tree.ts'
import {
  FETCHED_BYTES_MAX,
  FETCHED_FILES_MAX,
  isShown,
  isUnknown,
  linesOf,
  sidesOf,
  type Lines,
} from './unlisted-lines.ts'

export async function changeOf(access: Access, attempt: Attempt): Promise<Change> {
  const { files: listed, complete } = await listedFiles(access, attempt)
  const tree = await commitFiles(access, attempt.head_sha, pathsOf(listed))
  const fetched = await linesNotShown(access, attempt, listed, tree)
  return {
    files: listed.map((file) => fileChange(file, tree, fetched.get(file.filename) ?? null)),
    complete,
    hits: (attempt.tier1?.findings ?? []).flatMap(hitOf),
  }
}

const pathsOf = (listed: Listed): readonly string[] =>
  listed.flatMap(({ filename, previous_filename }) => [filename, ...(previous_filename ? [previous_filename] : [])])

/** One after the other, so that no more than two files are held at once. */
async function linesNotShown(
  access: Access,
  { merges_into, head_sha }: Attempt,
  listed: Listed,
  head: CommitFiles,
): Promise<ReadonlyMap<string, Lines>> {
  const missing = listed.filter((file) => !isShown(file))
  const lines = new Map<string, Lines>()
  if (missing.length === 0) return lines
  const parting = await partingOf(access, merges_into, head_sha)
  if (parting === null) return lines
  const base = await commitFiles(access, parting, pathsOf(missing))
  const bytes = ({ sha }: CommitFile): Promise<Uint8Array> => blobBytes(access.octokit, access.place, sha)
  const room = { files: FETCHED_FILES_MAX, bytes: FETCHED_BYTES_MAX }
  for (const file of missing) {
    const sides = sidesOf(file, base, head)
    if (!isUnknown(file, sides)) lines.set(file.filename, await linesOf(sides, room, bytes))
  }
  return lines
}

function fileChange(file: Listed[number], { files }: CommitFiles, fetched: Lines | null): FileChange {
  const { filename: path, previous_filename, additions, deletions } = file
  const entry = files.get(path)
  const kind = entry?.kind ?? 'file'
  const shown = isShown(file) ? (file.patch ?? '') : null
  const patch = fetched?.patch ?? shown ?? file.patch ?? null
  return {
    path,
    previous_path: previous_filename ?? null,
    status: statusOfFile(file.status),
    content: fetched?.content ?? (kind === 'file' ? 'text' : kind),
    patch,
    additions,
    deletions,
    size: entry?.kind === 'file' ? entry.size : null,
    blob_sha: file.sha ?? null,
    mode: fetched?.mode ?? entry?.mode ?? null,
    generated_at_base: false,
  }
}

export function hitOf({ category, path, line }: { category: string; path: string; line: number }): Hit[] {
  return category === 'weakened_test' || category === 'hidden_text' || category === 'secret'
    ? [{ kind: category, path, line }]
    : []
}

/** A trailer of a commit that says by which model it was made, as agents write it. */
const trailer = /^(?:co-authored-by|assisted-by|generated-by|generated-with|model|agent-model):(.*)$/gim
const modelName =
  /\b(?:claude|gpt|gemini|llama|mistral|codex|grok|qwen|deepseek)[\w.-]*(?:[ -][a-z]+)?(?:[ -]\d[\w.]*)*/i

export async function declaredModels(access: Access, pull: number): Promise<readonly string[]> {
  const commits = await commitsOf(access, pull)
  const named = commits.flatMap(({ message }) =>
    Array.from(message.matchAll(trailer), ([, text = '']) => modelName.exec(text)?.[0] ?? null),
  )
  const models = named.flatMap((name) => (name === null ? [] : [name.toLowerCase().replaceAll(' ', '-')]))
  return [...new Set(models)]
}
