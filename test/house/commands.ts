// The commands that a page tells people to type: those of `countersign` and those of npm, wherever they stand in code.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes } from 'mdast'
import type { HelpWords } from '../../src/entry/cli/common/help-words.ts'

export type Known = {
  readonly commands: ReadonlyMap<string, HelpWords>
  /** The scripts of package.json. */
  readonly scripts: readonly string[]
}

/** What npm itself has, of what our pages use. */
const ownToNpm = ['ci', 'install', 'test', 'start', 'pack', 'run', 'audit', 'exec', 'view', 'publish']

export function commandProblems(page: string, markdown: string, known: Known): readonly string[] {
  return typed(markdown).flatMap((line) => problemsOf(line, known).map((why) => `${page}: \`${line}\`: ${why}`))
}

/** Lines of code without their comments, one command each. */
export function typed(markdown: string): readonly string[] {
  return codeIn(fromMarkdown(markdown))
    .flatMap((code) => code.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => line.replace(/\s+#\s.*$/, '').split(/&&|\||;|>/))
    .map((line) => line.trim())
    .filter((line) => /\bcountersign (?:-- )?[a-z]/.test(line) || line.startsWith('npm '))
}

const codeIn = (node: Nodes): readonly string[] => {
  if (node.type === 'inlineCode') return [node.value]
  // What is YAML, JSON or TOML is held by who reads it.
  if (node.type === 'code') return node.lang === null || node.lang === 'sh' ? [node.value] : []
  return 'children' in node ? node.children.flatMap(codeIn) : []
}

function problemsOf(line: string, { commands, scripts }: Known): readonly string[] {
  const [, npm, script] = /^npm (?:--prefix \S+ )?([a-z]+)(?: (?:-s )?([a-z]\S*))?/.exec(line) ?? []
  const missing = npm === 'run' && script !== undefined && !scripts.includes(script)
  const ofNpm = [
    ...(npm !== undefined && !ownToNpm.includes(npm) ? [`npm has no \`${npm}\``] : []),
    ...(missing ? [`package.json has no script \`${script}\``] : []),
  ]
  const [, name, rest = ''] = /^.*\bcountersign (?:-- )?([a-z][a-z0-9]*)(?= |$)(.*)$/.exec(line) ?? []
  if (name === undefined) return ofNpm
  const words = commands.get(name)
  if (words === undefined) return [...ofNpm, `countersign has no command \`${name}\``]
  // What stands in `$( )` ends there.
  const given = rest.replace(/\).*$/, '').trim().split(/\s+/)
  const options = given
    .map((word) => word.replace(/^\[/, '').replace(/[\]=].*$/, ''))
    .filter((word) => /^--./.test(word))
  const [first = ''] = given
  const isOption = first === '' || /^[[<-]/.test(first)
  return [
    ...ofNpm,
    ...options.filter((option) => !words.options.includes(option)).map((option) => `it has no option \`${option}\``),
    ...(words.words.length > 0 && !isOption && !words.words.includes(first) && !/[./]/.test(first)
      ? [`it knows ${words.words.join(', ')}, and no \`${first}\``]
      : []),
  ]
}
