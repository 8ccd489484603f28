// Whether text is Python, asked of the runner's own interpreter. It gets the text through its input and parses it; it
// runs nothing of it, and sees neither the checkout nor its settings. One interpreter serves all files, since starting
// one for each would take longer than everything else.
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { jsonIn } from '../../core/json.ts'
import type { Clone } from './clone.ts'

type Flaw = { readonly line: number; readonly message: string } | null
export type Python = { readonly parse: (source: string) => Promise<Flaw>; readonly end: () => void }
type Asked = { readonly resolve: (flaw: Flaw) => void; readonly reject: (error: Error) => void }

const interpreters = ['python3', 'python']
const answerMsMax = 20_000
const restartsMax = 5

const program = `
import ast, json, sys, warnings
warnings.simplefilter('ignore')
for line in sys.stdin.buffer:
    answer = None
    try:
        ast.parse(json.loads(line))
    except SyntaxError as error:
        answer = {'line': error.lineno or 1, 'message': str(error.msg)}
    except ValueError as error:
        answer = {'line': 1, 'message': str(error)}
    except (MemoryError, RecursionError):
        answer = {'unknown': 'it is nested too deeply for the parser'}
    sys.stdout.write(json.dumps(answer) + '\\n')
    sys.stdout.flush()
`
const answers = z.union([
  z.null(),
  z.object({ line: z.number(), message: z.string() }),
  z.object({ unknown: z.string() }),
])

export function python(beside: Pick<Clone, 'env' | 'own'>): Python {
  let running: Interpreter | null = null
  let missing: string | null = null
  let starts = 0
  const interpreter = async (): Promise<Interpreter> => {
    if (running !== null && running.isAlive()) return running
    if (missing !== null) throw new Error(missing)
    if (starts >= restartsMax) throw new Error('the interpreter died too often')
    for (const name of interpreters) {
      starts += 1
      running = await start(name, beside)
      if (running !== null) return running
    }
    missing = 'there is no Python interpreter on this runner; actions/setup-python brings one'
    throw new Error(missing)
  }
  // One at a time decides which interpreter answers; the answers themselves overlap.
  let turn: Promise<unknown> = Promise.resolve()
  return {
    parse: async (source) => {
      const mine = turn.then(interpreter)
      turn = mine.catch(() => null)
      return (await mine).ask(source)
    },
    end: () => running?.end(),
  }
}

type Interpreter = {
  readonly isAlive: () => boolean
  readonly ask: (source: string) => Promise<Flaw>
  readonly end: () => void
}

/** Null where there is no such program. */
async function start(name: string, { env, own: cwd }: Pick<Clone, 'env' | 'own'>): Promise<Interpreter | null> {
  // Isolated, and without what an installation runs whenever it starts.
  const child = spawn(name, ['-I', '-S', '-c', program], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  return isThere ? talkTo(child) : null
}

function talkTo(child: ChildProcess): Interpreter {
  const waiting: Asked[] = []
  let isAlive = true
  const giveUp = (): void => {
    isAlive = false
    child.kill('SIGKILL')
    for (const { reject } of waiting.splice(0)) reject(new Error('the interpreter died or did not answer in time'))
  }
  const watch = setTimeout(() => (waiting.length > 0 ? giveUp() : null), answerMsMax)
  child.once('close', giveUp)
  child.stdin?.on('error', giveUp)
  const lines = child.stdout === null ? null : createInterface({ input: child.stdout })
  lines?.on('line', (line) => {
    watch.refresh()
    const asked = waiting.shift()
    const answer = answers.safeParse(jsonIn(line)).data
    if (answer === undefined) asked?.reject(new Error('the interpreter gave no answer that can be read'))
    else if (answer !== null && 'unknown' in answer) asked?.reject(new Error(answer.unknown))
    else asked?.resolve(answer)
  })
  return {
    isAlive: () => isAlive,
    ask: (source) => {
      watch.refresh()
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin?.write(`${JSON.stringify(source)}\n`)
      })
    },
    end: () => {
      clearTimeout(watch)
      child.kill('SIGKILL')
    },
  }
}
