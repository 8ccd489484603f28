// What a model is asked that is shown pictures: they come first, as pictures and never as text, then what was asked for. Words
// of others stand in fences, those of page names included.
import { canonical } from '../../core/canonical.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Redactor } from '../asking/clean.ts'
import { fenceId, wrapUntrusted } from '../asking/fence.ts'
import { isOwnTask, layout, leaving } from '../asking/prompt.ts'
import { roleChunk } from '../asking/role.ts'
import type { Block, ModelRequest } from '../calls/model.ts'
import { viewSchema } from './answer.ts'
import { expectationsOf } from './expected.ts'
import type { PageSeen } from './page.ts'

export type Shown = Extract<PageSeen, { kind: 'seen' }>
export type ViewTerms = { readonly nonce: string; readonly model: string; readonly remarks: readonly string[] }

const ANSWER_TOKENS_MAX = 8_000
/** https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs */
const PIXELS_PER_TOKEN = 750

export function viewRequest(
  attempt: Attempt,
  shown: readonly Shown[],
  { redact, keyed }: { readonly redact: Redactor; readonly keyed: (text: string) => string },
  { nonce, model, remarks }: ViewTerms,
): ModelRequest {
  const fence = (tag: 'brief' | 'criteria-json', name: string, text: string): string =>
    wrapUntrusted(tag, fenceId(keyed, `${nonce}|${name}`), name, text)
  const names = shown.map(({ shot }, index) => canonical({ page: index + 1, name: shot.page }))
  const text = [
    layout.asked,
    fence('brief', 'task', redact.people(wantedOf(attempt))),
    layout.pages,
    fence('criteria-json', 'pages', names.join('\n')),
    ...(remarks.length === 0 ? [] : [layout.remarks, fence('criteria-json', 'remarks', remarks.join('\n'))]),
    `${layout.nonce} ${nonce}`,
  ].join('\n')
  return leaving(redact, {
    model,
    system: [{ text: roleChunk('role-viewer'), cache: null }],
    content: [...shown.flatMap(pictureBlocks), { text, cache: null }],
    format: viewSchema,
    effort: 'medium',
    max_tokens: ANSWER_TOKENS_MAX,
  })
}

const pictureBlocks = ({ shot, png, width, height }: Shown, index: number): Block[] => [
  { text: layout.picture(index + 1), cache: null },
  {
    text: `[image sha256=${shot.sha256}]`,
    cache: null,
    picture: { png: Buffer.from(png).toString('base64'), tokens: Math.ceil((width * height) / PIXELS_PER_TOKEN) },
  },
]

/** A pull request that closes no issue is its own task, and its words are its builder's. */
function wantedOf(attempt: Attempt): string {
  const { contract } = attempt
  const { brief, description, acceptance_criteria: criteria } = contract
  return [
    ...(brief === null ? [] : [brief]),
    ...(isOwnTask(attempt) ? [] : [description]),
    ...criteria.map((one) => `- ${one}`),
    ...expectationsOf(contract).map(
      ({ page, description: what }) => `- ${page === undefined ? '' : `${page}: `}${what}`,
    ),
  ].join('\n')
}
