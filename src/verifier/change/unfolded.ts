// A text as people and models may read it beneath its disguise: letters of other scripts that look alike, signs between the
// letters, writing backwards, and what is only encoded. All in small letters and single spaces.

const alike: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('аеорсухікмтвнзѕјԁɡ')
    .map((sign, at) => [sign, 'aeopcyxikmtbhzsjdg'[at] ?? ''])
    .concat(
      Array.from('αεορτυνικχ').map((sign, at) => [sign, 'aeoptuvikx'[at] ?? '']),
      Array.from('0134578@$').map((sign, at) => [sign, 'oieasstbas'[at] ?? '']),
    ),
)
const digits = /[0134578@$]/g
const scripts = /[\u0370-\u03ff\u0400-\u052f\u0261]/g

/** Words of an order written backwards, or with each letter thirteen places on. */
const backwards = /erongi|reweiver|evorppa|rewsna|tcidrev|tuptuo/i
const rotated = /vtaber|erivrjre|nccebir|nafjre|irqvpg|bhgchg/i

export function unfolded(text: string): string[] {
  const plain = folded(text)
  const encoded = [
    ...decoded(text),
    ...(rotated.test(text) ? [rot13(text)] : []),
    ...(backwards.test(text) ? [Array.from(text).toReversed().join('')] : []),
  ]
  const all = [plain, folded(joinedLetters(text)), figured(plain), ...encoded.map(folded)]
  return [...new Set(all)]
}

const figured = (text: string): string => text.replaceAll(digits, (sign) => alike[sign] ?? sign)

export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cf}\p{Mn}\u3164\u2800]/gu, '')
    .replaceAll(scripts, (sign) => alike[sign] ?? sign)
    .replaceAll(/[_*`"'\\/|~<>{}[\]]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** `i.g.n.o.r.e`, and `i g n o r e` where two spaces stand between words. */
const joinedLetters = (text: string): string =>
  text
    .replaceAll(/(?<!\w)\w(?:[.·_-]\w(?!\w))+/g, (letters) => letters.replaceAll(/[.·_-]/g, ''))
    .split(/\s{2,}/)
    .map((word) => (/^\w(?: \w)+$/.test(word) ? word.replaceAll(' ', '') : word))
    .join(' ')

function decoded(text: string): string[] {
  const base64 = (text.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? []).map((one) =>
    Buffer.from(one, 'base64').toString('utf8'),
  )
  const hex = (text.match(/(?:[0-9a-f]{2}){10,}/gi) ?? []).map((one) => Buffer.from(one, 'hex').toString('utf8'))
  const escaped = text
    .replaceAll(/\\u\{?([0-9a-f]{4,6})\}?/gi, (_all, code: string) => signOf(code, 16))
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_all, code: string) => signOf(code, 16))
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_all, code: string) => signOf(code, 16))
    .replaceAll(/&#(\d{1,7});/g, (_all, code: string) => signOf(code, 10))
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => signOf(code, 16))
  return [...base64, ...hex].filter(isReadable).concat(escaped === text ? [] : [escaped])
}

const isReadable = (text: string): boolean => /^[\p{L}\p{N}\p{P}\p{Zs}\n]{8,}$/u.test(text)

function signOf(code: string, base: number): string {
  const point = Number.parseInt(code, base)
  return point <= 0x10ffff ? String.fromCodePoint(point) : ''
}

const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (sign) => {
    const from = sign <= 'Z' ? 65 : 97
    return String.fromCharCode(((sign.charCodeAt(0) - from + 13) % 26) + from)
  })
