// Whether somebody else could tell that a criterion holds. A task that names none, or only says that it should be done, is
// judged by the taste of whoever looks.

/** Fewer say what something is called, and not when it is done. */
const WORDS_MIN = 3
const BYTES_MIN = 10
/** Said of any task, they say nothing of this one. */
const empty = new Set(
  'a all and be been complete completed correct correctly done everything fine finished fully good implemented is it ok okay properly should the this to well work working works'.split(
    ' ',
  ),
)

/** Not every script puts blanks between words. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
const LENGTH_READ_MAX = 500

export const isVague = (criterion: string): boolean => {
  const words = Array.from(segmenter.segment(criterion.toLowerCase().slice(0, LENGTH_READ_MAX)))
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment)
  const isShort = Buffer.byteLength(criterion.trim()) < BYTES_MIN
  return words.length < WORDS_MIN || isShort || words.every((word) => empty.has(word))
}

/** What is too unclear in a task's own criteria to be judged by, in words; nothing where all is clear. */
export function lackingIn(criteria: readonly string[]): string[] {
  const none =
    'it names no acceptance criterion: write each as a bullet below the heading “Acceptance criteria”, so that somebody else can tell whether it holds'
  return [
    ...(criteria.length === 0 ? [none] : []),
    ...criteria.filter(isVague).map((one) => `this criterion says too little to be judged by: ${one}`),
  ]
}
