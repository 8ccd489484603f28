// How much text GitHub takes where. It counts some texts in bytes and refuses what is longer, a whole check run with it. The
// words are made to fit; this is the last resort, in one place.
// https://docs.github.com/en/rest/checks/runs#create-a-check-run

/** Comments and reviews are counted in characters, of which there are never more than bytes. */
const bytesMax = { title: 255, summary: 65_535, annotation: 65_535, comment: 65_535 } as const

/** The beginning, cut between two characters, and a sign that there was more. */
export function fitting(text: string, place: keyof typeof bytesMax): string {
  const whole = text.toWellFormed()
  const max = bytesMax[place]
  // No character takes more than three bytes for each of its units.
  if (whole.length * 3 <= max) return whole
  const bytes = Buffer.from(whole)
  if (bytes.length <= max) return whole
  let end = max - Buffer.byteLength(more)
  while (isInside(bytes[end])) end -= 1
  return `${bytes.subarray(0, end).toString('utf8')}${more}`
}

const more = '…'

/** A byte that goes on with a character. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
