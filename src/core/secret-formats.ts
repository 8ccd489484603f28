// How tokens that open a door look, so that none of them is shown to anybody or sent anywhere. Each has an alphabet that no
// code can be written in, since what looks like a token is hidden from whoever reads.

import { keyBeginning } from './private-keys.ts'

/** Each begins with fixed letters and ends at a character that it cannot contain, so that hostile text costs its length. */
const forms: readonly RegExp[] = [
  // GitHub, also with the longer tokens that carry claims
  /\bgh[pousr]_[A-Za-z0-9_.-]{20,2048}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/,
  // GitLab, npm, PyPI, Hugging Face
  /\bglpat-[A-Za-z0-9_-]{20,255}/,
  /\bnpm_[A-Za-z0-9]{30,64}/,
  /\bpypi-[A-Za-z0-9_-]{50,512}/,
  /\bhf_[A-Za-z0-9]{30,64}/,
  // AWS, Google
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  // Anthropic, OpenAI, Stripe
  /\bsk-[A-Za-z0-9_-]{20,512}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/,
  // Slack
  /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,512}/,
  // A JSON web token
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,8000}\.eyJ[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]{10,2000}/,
]

/** A colour before a token is no part of its word. */
const colour = String.raw`(?:\b|(?<=\[[\d;]{0,16}m))`
export const tokenForms: readonly RegExp[] = forms.map(({ source }) => new RegExp(source.replace(/^\\b/, () => colour)))

/** What is looked for in a change and in what a model says, beside private keys. */
export const secretFormats: readonly RegExp[] = tokenForms.map(({ source }) => new RegExp(source, 'g'))

/** Names in words and hyphens, such as those of styles, look like the shortest of these forms and are no token of it. */
const named = /\bsk-[A-Za-z_-]*(?![A-Za-z0-9_-])/g
/** Some of these letters are in each of them, so most texts are told by one look. */
const beginning = /gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|AKIA|ASIA|AIza|sk-|[rs]k_|xox|xapp|eyJ|-----BEGIN/

export const holdsSecret = (text: string): boolean => {
  if (!beginning.test(text)) return false
  const bare = text.replaceAll(named, ' ')
  return keyBeginning.test(bare) || secretFormats.some((format) => bare.search(format) >= 0)
}
