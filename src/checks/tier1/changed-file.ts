// One changed file that exists: it is not empty, it parses, and if it is a link, it stays inside the repository.
import { matchesAny } from '../../core/contract/glob.ts'
import type { Tier1Check } from '../../core/decision/model.ts'
import type { Verification } from '../../core/contract/policy/policy.ts'
import { locate } from './locate.ts'
import { oneLine } from './one-line.ts'
import type { Annotation } from './report.ts'
import { flawWords, languageOf, readSyntax, type Language } from './syntax/syntax.ts'
import { isBinary, isPointer } from './text.ts'
import { FILE_BYTES_MAX, type FileReading, type Workspace } from './workspace.ts'

export type FileJudgement = {
  readonly path: string
  readonly exists: boolean
  readonly isBinary: boolean
  readonly checks: readonly Tier1Check[]
  readonly failures: readonly Annotation[]
  /** What nobody looked at, and why. */
  readonly unseen: { readonly what: string; readonly why: string } | null
  /** The language that was read, so that the report can say how closely. */
  readonly language: Language | null
}

type Context = {
  readonly workspace: Workspace
  readonly settings: Verification['tier1']
  /** Called in the order of the paths; says whether there is time to parse this many bytes too. */
  readonly mayParse: (bytes: number) => boolean
}

export async function judgeFile(path: string, reading: FileReading, context: Context): Promise<FileJudgement> {
  const nothing = { path, exists: true, isBinary: false, checks: [], failures: [], unseen: null, language: null }
  switch (reading.kind) {
    case 'file':
      return { ...nothing, ...(await judgeContent(path, reading, context)) }
    case 'too_large':
      return {
        ...nothing,
        checks: [passed(`file_nonempty_${path}`)],
        unseen: tooLarge(path, context.settings, reading.why),
      }
    case 'symlink':
      return { ...nothing, ...(await judgeLink(path, reading.target, context.workspace)) }
    case 'submodule':
      return { ...nothing, unseen: { what: 'Submodules were not looked into', why: 'they are other repositories' } }
    case 'missing':
      return {
        ...nothing,
        exists: false,
        unseen: { what: 'Changed files were not checked', why: 'they are not there' },
      }
    case 'unavailable': {
      const why = `${path} could not be read: ${reading.why}`
      return { ...nothing, ...failed(`file_nonempty_${path}`, path, 1, why) }
    }
  }
}

type Content = Extract<FileReading, { kind: 'file' }>

async function judgeContent(path: string, { bytes, size }: Content, context: Context): Promise<Partial<FileJudgement>> {
  const { workspace, settings } = context
  const name = `file_nonempty_${path}`
  if (size === 0) return matchesAny(settings.allow_empty, path) ? {} : failed(name, path, 1, `${path} is empty.`)
  const checks = [passed(name)]
  if (bytes.length > FILE_BYTES_MAX) return { checks, unseen: tooLarge(path, settings) }
  const language = languageOf(path, settings.sql_dialect)
  if (language === null) return { checks, isBinary: isBinary(bytes) }
  if (isPointer(bytes))
    return { checks, unseen: { what: `${language} was not parsed`, why: 'Git LFS keeps it elsewhere' } }
  const unread = (why: string) => ({ what: `${language} was not parsed`, why: oneLine(why) })
  if (!context.mayParse(bytes.length)) return { checks, unseen: unread('all files together are too large') }
  const parsers = { parsePython: workspace.parsePython, sqlDialect: settings.sql_dialect }
  const reading = await readSyntax({ path, bytes, language }, parsers)
  if ('notParsed' in reading) return { checks, unseen: unread(reading.notParsed), isBinary: isBinary(bytes) }
  const syntaxName = `syntax_${path.slice(path.lastIndexOf('/') + 1)}`
  if (reading.flaw === null) return { checks: [...checks, passed(syntaxName)], language }
  const syntax = failed(syntaxName, path, reading.flaw.line, `${path}, ${flawWords(reading.flaw)}`)
  return { checks: [...checks, ...syntax.checks], failures: syntax.failures, language }
}

async function judgeLink(path: string, target: string, workspace: Workspace): Promise<Partial<FileJudgement>> {
  const name = `symlink_target_${path}`
  const location = await locate(workspace, path)
  switch (location.kind) {
    case 'present':
    // It may lead to a folder, or to what a build makes.
    case 'missing':
      return { checks: [passed(name)] }
    case 'outside':
      return failed(name, path, 1, `${path} is a link to ${oneLine(target)}, which is outside the repository.`)
    case 'unavailable':
      return failed(name, path, 1, `${path} is a link that could not be followed: ${location.why}`)
  }
}

const passed = (name: string): Tier1Check => ({ name, passed: true, detail: null })

function failed(name: string, path: string, line: number, detail: string) {
  const message = oneLine(detail)
  return {
    checks: [{ name, passed: false, detail: message }],
    failures: [{ path, line, level: 'failure' as const, message }],
  }
}

function tooLarge(
  path: string,
  { sql_dialect }: Verification['tier1'],
  why = 'the file is larger than 1 MiB',
): FileJudgement['unseen'] {
  const language = languageOf(path, sql_dialect)
  return language === null ? null : { what: `${language} was not parsed`, why }
}
