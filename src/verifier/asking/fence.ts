// The one way in which text of others enters a prompt. A fence has a keyed id, so nobody can guess how to close it, and
// every line inside is cleaned, so that no spelling of our marks or of a closing tag survives.
import { spelled } from '../../core/visible.ts'
import { clean } from './clean.ts'

export const fenceTags = ['task-data', 'criteria-json', 'code-diff', 'code-context', 'check-output', 'brief'] as const
export type FenceTag = (typeof fenceTags)[number]

const closing = new RegExp(String.raw`<(?=\s*/?\s*(?:${fenceTags.join('|')})\b)`, 'gi')

/** `label` is data too and becomes a JSON string. */
export function wrapUntrusted(tag: FenceTag, id: string, label: string, text: string): string {
  const head = label === '' ? `⟦${tag} ${id}⟧` : `⟦${tag} ${id} ${JSON.stringify(inert(label))}⟧`
  return `${head}\n${inert(text)}\n⟦/${tag} ${id}⟧`
}

/** Text as it is shown within a fence. */
export const inert = (text: string): string => clean(text).replaceAll(closing, spelled('<'))

/** The same for every vote on the same thing, so that the shared prefix stays cached. */
export const fenceId = (keyed: (text: string) => string, about: string): string => keyed(about).slice(0, 12)
