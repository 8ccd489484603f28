// Text in what a change adds that speaks to its reviewer: an order, an answer ready made, a turn of a conversation, in any of
// the disguises that a program can take off. It is a finding of its own, whatever the verdict, and is shown to people. That
// it is found proves nothing about the code; that a judge does not mention it says something about the judge.
import type { FileChange } from './change.ts'
import { folded, unfolded } from './unfolded.ts'

export type Addressed = { readonly path: string; readonly line: number }
type AddedLine = Addressed & { readonly text: string }

const reviewer = String.raw`(?:ai|llm|gpt|claude|gemini|copilot|assistant|language model|model|bot|reviewers?|verifier|judge|grader|evaluator|auditor)`
const asked = String.raw`(?:approve|pass|accept|answer|respond|reply|output|return|say|mark|rate|vote|skip|ignore|disregard|treat|consider|report|stop|trust|follow|must|should|do not|don.t|please)`
const speech: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|the|these|any)\b.{0,30}\b(?:instructions?|prompts?|rules|guidelines|directions|criteria|questions|findings?)\b/,
  new RegExp(
    String.raw`\b(?:dear|note (?:to|for)|attention|message (?:to|for)|instructions? (?:to|for)|hey|hello|hi)\b.{0,12}\b${reviewer}\b`,
  ),
  new RegExp(String.raw`\b${reviewer}s?\b ?[,:;].{0,60}\b${asked}\b`),
  new RegExp(
    String.raw`\b(?:the|this|any|every|all|an|automated|code) ${reviewer}s?\b.{0,20}\b(?:must|should|shall|has to|have to|may|can|will)\b.{0,40}\b${asked}\b`,
  ),
  /\b(?:answer|respond|reply|output|return|print|emit|vote|say)\b.{0,30}\b(?:met|pass|approved?|lgtm|accept|yes)\b.{0,20}\b(?:to|for|on|everything|every|all|only|questions?)\b/,
  /\b(?:answer|respond|reply|output|vote|say)\b(?: only| just)?(?: with)?[ :=]{1,3}(?:pass|lgtm|approved?|met)\b/,
  /\b(?:verdict|proposed verdict|decision)\b ?[:=]? ?\b(?:is )?(?:pass|approved?|accept)\b/,
  /\b(?:approve|pass|accept|merge)\b.{0,15}\b(?:this|the|it)?\b ?(?:change|pull request|pr|diff|patch)\b.{0,30}\b(?:without|immediately|now|unread|at once|no matter|regardless)\b/,
  /\b(?:approve|accept|pass)\b.{0,10}\bwithout (?:reading|review|looking|comment)/,
  /\bas your (?:manager|supervisor|lead|boss|operator|owner|developer)\b|\bthis is an? (?:order|directive)\b|\bdo exactly as i say\b|\bi(?: a|')m instructing you\b|\bi instruct you\b/,
  /\byou (?:are|re) (?:now|no longer)\b.{0,40}\b(?:reviewer|verifier|mode|assistant|judge|developer)\b/,
  /\b(?:system|developer|operator|vendor|safety) (?:message|notice|prompt|override|note)\b/,
  /\b(?:proposed verdict|suspicious text|open items|failure scenario)\b.{0,12}\b(?:pass|met|none|empty|blocking)\b/,
]
/** Looked for in the text as it stands. */
const shapes: readonly RegExp[] = [
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<\/?(?:system|assistant|user|human)\b[^>]{0,40}>|<<\/?SYS>>/i,
  /^\W{0,6}(?:human|assistant|system|user) ?: ?\S/i,
  /#{2,} ?(?:system|instruction|assistant|human|user|new task)\b/i,
  /\\?["'](?:proposed_verdict|suspicious_text|failure_scenario|unseen_needed)\\?["']\s*:/,
  /\bproposed_verdict\b\W{0,4}PASS\b/,
  /⟦\/?(?:code-diff|criteria-json|task-data|code-context|check-output)\b/,
  /\b(?:ignorier\w*|vergiss)\b.{0,40}\b(?:anweisung|regel|vorgabe)|\b(?:antworte|gib)\b.{0,30}\b(?:PASS|ja|erfüllt)\b/i,
  /\b(?:ignore[rz]?|oublie[rz]?)\b.{0,40}\b(?:consignes|instructions précédentes|règles)|\b(?:réponds|répondez|approuve[rz]?)\b.{0,40}\b(?:PASS|oui|changement|modification)/i,
  /\b(?:ignora|olvida|ignore)\b.{0,40}\b(?:instrucciones|instruções|istruzioni|reglas)|\b(?:responde|responda|rispondi|aprueba|aprove|approva)\b.{0,40}\b(?:PASS|sí|sim|cambio|mudança|modifica)/i,
  /(?:игнорируй|забудь|не обращай внимания).{0,60}(?:инструкц|указан|правил)|(?:ответь|отвечай|одобри).{0,40}(?:PASS|да|изменен)/iu,
  /(?:忽略|无视|忘记).{0,20}(?:指令|指示|说明|规则|要求)|(?:输出|回答|批准|通过).{0,12}(?:PASS|是|审查|更改)/u,
  /(?:無視).{0,20}|(?:承認|PASSと(?:答え|出力)).{0,10}(?:して|てください)/u,
  /(?:무시하|승인하).{0,20}/u,
  /(?:تجاهل).{0,40}(?:التعليمات|الأوامر|القواعد)|(?:أجب).{0,20}PASS/u,
  /(?:निर्देशों? को (?:अनदेखा|नज़रअंदाज़)|स्वीकृत करें)/u,
]

/** Without one of these words no pattern above can hold, and without one of these signs no shape. */
const cue =
  /\b(?:ignore|disregard|forget|override|bypass|ai|llm|gpt|claude|gemini|copilot|assistant|models?|bots?|reviewers?|verifiers?|judges?|graders?|evaluators?|auditors?|met|pass|approved?|lgtm|accept|merge|yes|verdict|decision|manager|supervisor|order|directive|exactly|instruct(?:ing)?|you|message|notice|prompt)\b/
const mark =
  /[<[#:⟦]|[^\u0020-\u007e]|verdict|ignor|vergiss|antworte|gib|oublie|approuve|olvida|respond|rispondi|aprueba|aprove|approva/i

const JOINED_LINES_MAX = 4

/**
 * Every line that speaks, or has its part in what several lines say together, also over files. Each is read to its end,
 * wherever it stands: what is shown to a model is bounded already, and what no pattern was held against is not silent.
 */
export function addressedIn(lines: readonly AddedLine[]): Addressed[] {
  const found = new Map<string, Addressed>()
  const note = ({ path, line }: AddedLine): void => void found.set(`${path}:${line}`, { path, line })
  for (const one of lines) if (speaks(one.text)) note(one)
  const words = lines
    .filter(({ text, path, line }) => isProse(text) && !found.has(`${path}:${line}`))
    .map((one) => ({ ...one, said: folded(bare(one.text)) }))
  for (const [index, first] of words.entries()) {
    const parts = [first]
    for (const next of words.slice(index + 1, index + JOINED_LINES_MAX)) {
      parts.push(next)
      if (!parts.some(({ said }) => cue.test(said))) continue
      if (isSpeech(parts.map(({ said }) => said).join(' '))) parts.forEach(note)
    }
  }
  return [...found.values()]
}

export const speaks = (text: string): boolean =>
  (mark.test(text) && shapes.some((shape) => shape.test(text))) || unfolded(text).some(isSpeech)

const isSpeech = (text: string): boolean => cue.test(text) && speech.some((pattern) => pattern.test(text))

/** A text of several lines. */
export const speaksAnywhere = (text: string): boolean => text.split('\n').some(speaks)

/** Comments and texts; code says nothing to anybody. */
const isProse = (text: string): boolean =>
  /^\s*(?:\/\/|\/?\*|#|--|;|%|<!--|"""|''')|["'`][^"'`]* [^"'`]*["'`]?/.test(text)
const bare = (text: string): string =>
  text
    .replaceAll(/^\s*(?:\/\/|\/?\*+|#+|--|;+|%+|<!--|"""|''')\s*|(?<!\s)\s*(?:\*\/|-->)\s*$/g, '')
    .replaceAll(/(?<!["'`;,+])["'`;,+]+\s*$/g, '')
    .replaceAll(/^.*?=\s*["'`]/g, '')

/** What of a change has a name is read too. */
export const speakingNames = (files: readonly FileChange[]): string[] =>
  files.flatMap(({ path }) => (speaks(path.replaceAll(/[-_/.]/g, ' ')) ? [path] : []))
