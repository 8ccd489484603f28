// Shares with how sure they are: of a few cases a share says little, and the interval says how little.

export type Rate = {
  readonly part: number
  readonly whole: number
  /** Null of nothing. */
  readonly share: number | null
  readonly low: number | null
  readonly high: number | null
}

/** 95 of 100 intervals made this way hold the true share. */
const Z = 1.959964

/** The interval of Wilson, which stays within 0 and 1 and is honest for few cases and for none of many. */
export function rateOf(part: number, whole: number): Rate {
  if (whole === 0) return { part, whole, share: null, low: null, high: null }
  const share = part / whole
  const square = Z * Z
  const middle = (share + square / (2 * whole)) / (1 + square / whole)
  const reach = (Z * Math.sqrt((share * (1 - share)) / whole + square / (4 * whole * whole))) / (1 + square / whole)
  const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
  return { part, whole, share: rounded(share), low: rounded(middle - reach), high: rounded(middle + reach) }
}

const percent = (value: number): string => (value * 100).toFixed(1)

/** `1 of 40: 2.5 % (0.4 to 12.9)` */
export const rateWords = ({ part, whole, share, low, high }: Rate): string =>
  share === null || low === null || high === null
    ? 'none'
    : `${part} of ${whole}: ${percent(share)} % (${percent(low)} to ${percent(high)})`
