// Of which moment an answer is. GitHub's copies follow one another, so one may be from before what is known already.

/** GitHub tells no parts of a second. What has no date is from before nothing. */
export const isFromBefore = (answered: string, known: string): boolean => secondsOf(answered) < secondsOf(known)

export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000)
