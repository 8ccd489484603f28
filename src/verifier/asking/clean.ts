// Text on its way into a prompt: nothing in it is invisible, nothing can pose as one of our marks, and secrets and
// personal data are placeholders. Characters are spelled, never deleted: what is left of a deletion can come together
// to something new. Cleaning a clean text changes nothing.

import { withoutKeys } from '../../core/private-keys.ts'
import { secretFormats } from '../../core/secret-formats.ts'
import { spelled, unseen } from '../../core/visible.ts'

const marks = String.raw`⟦(?:U\+[0-9A-F]{4,6}|(?:SECRET|PERSON) \d{1,6})⟧`
const carriageAtEnd = String.raw`\r(?=\n|$)`
const unclean = new RegExp(`${marks}|${carriageAtEnd}|[⟦⟧]|${unseen}`, 'gu')

/** The marks of this product stay what they are, since they say nothing that could hurt. */
export const clean = (text: string): string =>
  text.replaceAll(unclean, (sign) => (sign.length > 2 || sign === '\r' ? sign : spelled(sign)))

const personFormats = [
  /[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g,
  /(?<![\w.])\+\d{1,3}(?:[ ().-]{0,2}\d{2,4}){3,5}(?!\w)/g,
  /(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w.-])/g,
]
const CONFIGURED_LENGTH_MIN = 8

export type Redactor = {
  /** Only the secrets that were configured. */
  readonly own: (text: string) => string
  readonly secrets: (text: string) => string
  /** Secrets, and e-mail addresses, telephone and card numbers too. */
  readonly people: (text: string) => string
  /** What stands for what so far. */
  readonly known: Map<string, string>
}

/** The same thing has the same placeholder wherever it stands in one request. */
export function redactor(configured: readonly string[], known = new Map<string, string>()): Redactor {
  const placeholder = (kind: 'SECRET' | 'PERSON', found: string): string => {
    const mark = known.get(found) ?? `⟦${kind} ${known.size + 1}⟧`
    known.set(found, mark)
    return mark
  }
  const mine = configured.filter((secret) => secret.length >= CONFIGURED_LENGTH_MIN)
  const own = (text: string): string =>
    mine.reduce((rest, secret) => rest.replaceAll(secret, () => placeholder('SECRET', secret)), text)
  const secrets = (text: string): string =>
    secretFormats.reduce(
      (rest, format) => rest.replaceAll(format, (found) => placeholder('SECRET', found)),
      withoutKeys(own(text), (key) => placeholder('SECRET', key)),
    )
  const people = (text: string): string =>
    personFormats.reduce(
      (rest, format) => rest.replaceAll(format, (found) => (isPersonal(found) ? placeholder('PERSON', found) : found)),
      secrets(text),
    )
  return { own, secrets, people, known }
}

/** Long numbers are card numbers only when their check digit says so. */
function isPersonal(found: string): boolean {
  if (found.includes('@') || found.startsWith('+')) return true
  const digits = found.replaceAll(/\D/g, '').split('').toReversed().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const twice = index % 2 === 1 ? digit * 2 : digit
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return digits.length >= 13 && sum % 10 === 0
}
