// What a model is shown, read back from the words of a question as one must who knows nothing but the format: for doubles,
// which take the place of a model.
import { jsonIn } from '../../../core/json.ts'
import { z } from 'zod'
import { roleChunks } from '../../../verifier/asking/role.ts'
import type { ModelRequest } from '../../../verifier/calls/model.ts'

export type SeenLine = {
  readonly path: string
  readonly side: 'old' | 'new'
  readonly line: number
  readonly sign: '+' | '-' | ' '
  readonly text: string
}
export type SeenPrompt = {
  readonly step: 'find' | 'refute' | 'attack' | 'judge' | 'decompose' | 'other'
  readonly nonce: string
  /** The questions of the task and its rubric. */
  readonly probes: readonly { readonly id: string; readonly polarity: string }[]
  readonly criteria: readonly string[]
  readonly items: readonly string[]
  readonly known: readonly { readonly id: string; readonly text: string }[]
  readonly places: readonly { readonly path: string; readonly side: 'old' | 'new'; readonly line: number }[]
  /** Names of the files whose changes are shown. */
  readonly files: readonly string[]
  readonly lines: readonly SeenLine[]
}

const steps = {
  'role-finder': 'find',
  'role-refuter': 'refute',
  'role-attacker': 'attack',
  'role-evaluator': 'judge',
  'role-decomposer': 'decompose',
} as const

const question = z.object({ id: z.string(), polarity: z.string(), text: z.string() })
const place = z.object({ copy: z.object({ path: z.string(), side: z.enum(['old', 'new']), line: z.number() }) })
const criterion = z.object({ index: z.number(), text: z.string() })
const item = z.object({ id: z.string(), claim: z.string() })

export function promptSeen({ system, content }: Pick<ModelRequest, 'system' | 'content'>): SeenPrompt {
  const role = Object.entries(steps).find(([name]) => system[0]?.text === roleChunks[name])
  const all = content.map(({ text }) => text).join('\n')
  const said: unknown[] = []
  const files: string[] = []
  const lines: SeenLine[] = []
  let within: string | null = null
  for (const row of all.split('\n')) {
    const opened = /^⟦([a-z-]+) [0-9a-f]{12}(?: (".*"))?⟧$/.exec(row)
    if (opened !== null) {
      const name = jsonIn(opened[2] ?? '""')
      within = opened[1] === 'code-diff' && typeof name === 'string' ? name : null
      if (within !== null) files.push(within)
    } else if (/^⟦\/[a-z-]+ [0-9a-f]{12}⟧$/.test(row)) within = null
    else if (row.startsWith('{')) said.push(jsonIn(row))
    const line = within === null ? null : /^\s*(\d+) ([ +-])│ (.*)$/.exec(row)
    if (line === null || within === null) continue
    const sign = line[2] === '+' || line[2] === '-' ? line[2] : ' '
    lines.push({ path: within, side: sign === '-' ? 'old' : 'new', line: Number(line[1]), sign, text: line[3] ?? '' })
  }
  const asked = said.flatMap((one) => question.safeParse(one).data ?? [])
  return {
    step: role?.[1] ?? 'other',
    nonce: /nonce (\S+)$/.exec(all)?.[1] ?? '',
    probes: asked.filter(({ id }) => !id.startsWith('k')),
    criteria: said.flatMap((one) => criterion.safeParse(one).data?.text ?? []),
    items: said.flatMap((one) => item.safeParse(one).data?.id ?? []),
    known: asked.filter(({ id }) => id.startsWith('k')),
    places: said.flatMap((one) => place.safeParse(one).data?.copy ?? []),
    files,
    lines,
  }
}

/** What somebody answers under Control who has read it. */
export function controlled({ known, places, files, lines }: SeenPrompt) {
  return {
    probes: known.map(({ id, text }) => {
      const name = jsonIn(/name (".*")\?$/.exec(text)?.[1] ?? '""')
      return { id, evidence: [], why: '', answer: files.some((file) => file === name) ? 'met' : 'not_met' } as const
    }),
    copied: places.map((one) => ({ ...one, quote: textAt(lines, one) })),
  }
}

const textAt = (lines: readonly SeenLine[], { path, side, line }: Omit<SeenLine, 'sign' | 'text'>): string =>
  lines.find((one) => one.path === path && one.line === line && one.side === side)?.text ?? ''
