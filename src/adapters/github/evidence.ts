// What the verifier reads of a change: every file that GitHub lists for this commit, its hunks, and what kind of thing it is.
// Nothing is left out here; what cannot be read has no patch, and the rules refer it.
import type { Attempt } from '../../core/decision/model.ts'
import type { Change, FileChange, Hit } from '../../verifier/change/change.ts'
import type { Access } from './access.ts'
import { commitFiles, type CommitFiles } from './commit-files.ts'
import { listedFiles, patchOf, statusOfFile, type Listed } from './files.ts'
import { commitsOf } from './pulls.ts'

export async function changeOf(access: Access, attempt: Attempt): Promise<Change> {
  const { octokit, place } = access
  const [{ files: listed, complete }, tree] = await Promise.all([
    listedFiles(access, attempt),
    commitFiles(octokit, place, attempt.head_sha),
  ])
  return {
    files: listed.map((file) => fileChange(file, tree)),
    complete,
    hits: (attempt.tier1?.findings ?? []).flatMap(hitOf),
  }
}

function fileChange(file: Listed[number], { files }: CommitFiles): FileChange {
  const { filename: path, previous_filename, additions, deletions } = file
  const entry = files.get(path)
  const status = statusOfFile(file.status)
  const patch = patchOf(file)
  return {
    path,
    previous_path: previous_filename ?? null,
    status,
    content: contentOf(entry?.kind ?? 'file', patch === null && additions + deletions === 0),
    patch,
    additions,
    deletions,
    size: entry?.kind === 'file' ? entry.size : null,
    blob_sha: file.sha ?? null,
    mode: entry?.mode ?? null,
    generated_at_base: false,
  }
}

function contentOf(kind: 'file' | 'symlink' | 'submodule', hasNoLines: boolean): FileChange['content'] {
  if (kind !== 'file') return kind
  return hasNoLines ? 'binary' : 'text'
}

function hitOf({ category, path, line }: { category: string; path: string; line: number }): Hit[] {
  return category === 'weakened_test' || category === 'hidden_text' ? [{ kind: category, path, line }] : []
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
