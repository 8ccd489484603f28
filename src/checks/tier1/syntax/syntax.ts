// Which files are parsed, by their names, and what their parser says. Any other file gets no syntax check.
import { oneLine } from '../one-line.ts'
import { decodeText, isBinary, type TextFlaw } from '../text.ts'
import type { Workspace } from '../workspace.ts'
import { csvFlaw, tsvFlaw } from './csv.ts'
import { jsonFlaw } from './json.ts'
import { otherEncoding, readPython } from './python.ts'
import { readSql } from './sql.ts'
import { tomlFlaw } from './toml.ts'
import { readYaml } from './yaml.ts'

/** `notParsed` says why nothing is known. */
export type SyntaxReading = { readonly flaw: TextFlaw | null } | { readonly notParsed: string }
export type Language = 'JSON' | 'JSONC' | 'YAML' | 'TOML' | 'Python' | 'SQL' | 'CSV' | 'TSV'

const byExtension = new Map<string, Language>([
  ['json', 'JSON'],
  ['jsonc', 'JSONC'],
  ['yaml', 'YAML'],
  ['yml', 'YAML'],
  ['toml', 'TOML'],
  ['py', 'Python'],
  ['pyi', 'Python'],
  ['sql', 'SQL'],
  ['csv', 'CSV'],
  ['tsv', 'TSV'],
])

/** Files called `.json` whose readers accept comments and trailing commas. */
const withComments = [
  /^(?:.*\.)?[jt]sconfig(?:[.-].*)?\.json$/,
  /^\.?(?:eslintrc|jshintrc|jslintrc|babelrc|swcrc|hintrc|markdownlint|markdownlint-cli2|oxlintrc|oxfmtrc)\.json$/,
  /^\.?(?:devcontainer|devcontainer-feature|api-extractor|tslint|turbo|nx|rush|deno|cspell|typedoc|biome)\.json$/,
]
const folderWithComments = /(?:^|\/)(?:\.vscode|\.devcontainer|\.zed|tsconfigs?|common\/config\/rush)\//

/** Null for a file that nothing here can parse, which includes SQL of a dialect that the policy does not name. */
export function languageOf(path: string, sqlDialect: string | null): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name === '.eslintrc') return 'JSONC'
  const dot = name.lastIndexOf('.')
  const language = dot === -1 ? undefined : byExtension.get(name.slice(dot + 1))
  if (language === undefined || (language === 'SQL' && sqlDialect === null)) return null
  const tolerant = withComments.some((pattern) => pattern.test(name)) || folderWithComments.test(path.toLowerCase())
  return language === 'JSON' && tolerant ? 'JSONC' : language
}

type Source = { readonly path: string; readonly bytes: Uint8Array; readonly language: Language }
export type Parsers = { readonly parsePython: Workspace['parsePython']; readonly sqlDialect: string | null }

export async function readSyntax({ path, bytes, language }: Source, parsers: Parsers): Promise<SyntaxReading> {
  if (isBinary(bytes)) return { notParsed: 'it is binary' }
  const decoded = decodeText(bytes)
  if ('flaw' in decoded) {
    const encoding = language === 'Python' ? otherEncoding(bytes) : null
    return encoding === null ? decoded : { notParsed: `it is written in ${encoding}` }
  }
  return parse(decoded.text, path, language, parsers)
}

async function parse(text: string, path: string, language: Language, parsers: Parsers): Promise<SyntaxReading> {
  switch (language) {
    case 'JSON':
      return { flaw: jsonFlaw(text, 'json') }
    case 'JSONC':
      // ESLint's file without an extension may hold either language.
      return path.endsWith('.eslintrc') && !/^\s*[{/]/.test(text) ? readYaml(text) : { flaw: jsonFlaw(text, 'jsonc') }
    case 'YAML':
      return orTemplate(readYaml(text), text, path)
    case 'TOML':
      return { flaw: tomlFlaw(text) }
    case 'Python':
      return readPython(text, parsers.parsePython)
    case 'SQL':
      return readSql(text, parsers.sqlDialect ?? '')
    case 'CSV':
      return { flaw: csvFlaw(text) }
    case 'TSV':
      return { flaw: tsvFlaw(text) }
  }
}

/** The templates of a Helm chart become YAML only when they are filled in. */
function orTemplate(reading: SyntaxReading, text: string, path: string): SyntaxReading {
  const isTemplate = /(?:^|\/)templates\//.test(path) && text.includes('{{')
  return 'flaw' in reading && reading.flaw !== null && isTemplate ? { notParsed: 'it is a template' } : reading
}

/** `line 3, column 5: …`, as far as it is known. */
export function flawWords({ line, column, message }: TextFlaw): string {
  return `line ${line}${column === null ? '' : `, column ${column}`}: ${oneLine(message)}`
}
