// `countersign completion`: a script by which a shell completes commands, options and the words that a command knows. It is
// made from the table of commands and from their help, so that it knows what they know.
import { visible } from '../../core/visible.ts'
import { nearest } from '../../core/nearest.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { commands } from './commands.ts'
import { helpWords, type HelpWords } from './common/help-words.ts'

const NEAR = 2

type Row = HelpWords & { readonly name: string; readonly summary: string }

export const completion: CliCommand = {
  name: 'completion',
  summary: 'print a script by which your shell completes all this',
  help: `countersign completion bash|zsh|fish

Prints a script that completes commands and options. Let your shell read it whenever it starts:

  bash   in ~/.bashrc: eval "$(countersign completion bash)"
  zsh    in ~/.zshrc, after compinit: eval "$(countersign completion zsh)"
  fish   once: countersign completion fish > ~/.config/fish/completions/countersign.fish

  --help   print this

Exit code 0: printed. 2: there is no such shell.`,
  run,
}

const shells: Readonly<Record<string, (rows: readonly Row[]) => string>> = { bash, zsh, fish }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [shell = '', ...more] = args
  const script = Object.hasOwn(shells, shell) && more.length === 0 ? shells[shell] : undefined
  if (script === undefined) {
    const meant = nearest(shell, Object.keys(shells), NEAR)
    const why = shell === '' || more.length > 0 ? 'name one shell' : `there is no script for \`${visible(shell)}\``
    const hint = meant === null || meant === shell ? '' : ` (did you mean \`${meant}\`?)`
    io.err(`countersign completion: ${why}${hint}. It knows ${Object.keys(shells).join(', ')}.`)
    return 2
  }
  io.out(script(await rowsOf()))
  return 0
}

async function rowsOf(): Promise<Row[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      return { name, summary, ...helpWords(name, (await load()).help) }
    }),
  )
}

/** Where nothing of ours fits, the shell completes names of files. */
function bash(rows: readonly Row[]): string {
  return `_countersign() {
  local current=\${COMP_WORDS[COMP_CWORD]} options= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${rows.map(({ name }) => name).join(' ')} --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${rows.map(({ name, options, words }) => `    ${name}) options='${options.join(' ')}' words='${words.join(' ')}' ;;`).join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi ;;
  esac
}
complete -o default -F _countersign countersign`
}

function zsh(rows: readonly Row[]): string {
  const told = rows.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`)
  return `#compdef countersign
_countersign() {
  local -a named options first
  named=(
${told.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command named
    return
  fi
  case "$words[2]" in
${rows.map(({ name, options, words }) => `    ${name}) options=(${options.join(' ')}) first=(${words.join(' ')}) ;;`).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    compadd -a options
  elif (( CURRENT == 3 && $#first )); then
    compadd -a first
  else
    _files
  fi
}
if [ "$funcstack[1]" = _countersign ]; then _countersign "$@"; else compdef _countersign countersign; fi`
}

function fish(rows: readonly Row[]): string {
  return rows
    .flatMap(({ name, summary, options, words }) => {
      const here = `complete -c countersign -n '__fish_seen_subcommand_from ${name}'`
      return [
        `complete -c countersign -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...options.map((option) => `${here} -l ${option.slice(2)}`),
        ...(words.length > 0 ? [`${here} -f -a '${words.join(' ')}'`] : []),
      ]
    })
    .join('\n')
}

/** For all three shells: what they end a text with stands outside of it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
