// What the screenshots of a change should show: by page, in colours, sizes and differences that are measured, not judged.
// Which keys a kind reads is a table; a key that says nothing to it is a mistake of whoever wrote it.
import { z } from 'zod'
import { dig, type RuleBroken } from '../policy/rule-broken.ts'
import { section, share } from '../policy/schema-parts.ts'

const channel = z.number().int().min(0).max(255)
const pixels = z.number().int().min(0).max(100_000)
const side = pixels.min(1)
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const

/** What each kind must be told, and what it may be told. */
const readBy = {
  dominant_colour: { needs: ['expected_rgb'], takes: ['tolerance'] },
  contains_colour: { needs: ['expected_rgb'], takes: ['tolerance', 'share', 'region'] },
  region: { needs: ['expected_rgb', 'region'], takes: ['tolerance'] },
  size: { needs: ['expected_size'], takes: ['tolerance'] },
  max_difference: { needs: [], takes: ['tolerance', 'share', 'region'] },
} as const
export type ExpectationKind = keyof typeof readBy
const kinds = [
  'dominant_colour',
  'contains_colour',
  'region',
  'size',
  'max_difference',
] as const satisfies ExpectationKind[]
const ofSomeKinds = ['expected_rgb', 'expected_size', 'tolerance', 'share', 'region'] as const

export const expectationSchema = section({
  kind: z
    .enum(kinds)
    .describe(
      'dominant_colour: of the page; region: of a part of it; contains_colour: somewhere; size: of the picture; max_difference: from what the base showed last.',
    ),
  page: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of the screenshot without its ending; every page where it is left out.'),
  description: z.string().min(1).max(2000).describe('What is expected, for people.'),
  expected_rgb: z.tuple([channel, channel, channel]).optional().describe('The colour: red, green, blue.'),
  tolerance: z
    .number()
    .min(0)
    .max(442)
    .optional()
    .describe('How far from the colour still counts, from 0 to 442, by default 60; for a size, how many pixels.'),
  region: section({
    x: pixels.describe('Pixels from the left.'),
    y: pixels.describe('Pixels from above.'),
    width: side.describe('Pixels from there to the right.'),
    height: side.describe('Pixels from there down.'),
  })
    .optional()
    .describe('Where on the page, in pixels from the upper left corner.'),
  expected_size: section({ width: side.describe('Pixels across.'), height: side.describe('Pixels down.') })
    .optional()
    .describe('Width and height.'),
  share: share
    .optional()
    .describe(
      'The share of pixels: contains_colour wants at least, max_difference takes at most so many; by default 0.01.',
    ),
  severity: z
    .string()
    .toUpperCase()
    .pipe(z.enum(severities))
    .default('HIGH')
    .describe('What it weighs where it is not met.'),
})
export type VisualExpectation = z.output<typeof expectationSchema>

export const EXPECTATIONS_MAX = 50
export const expectationsSchema = z.array(expectationSchema).max(EXPECTATIONS_MAX)

/** `at`: where the list stands. */
export function expectationRules(list: unknown, at: readonly string[]): RuleBroken[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown, index) => {
    const kind = kinds.find((name) => name === dig(one, 'kind'))
    if (kind === undefined) return []
    const { needs, takes } = readBy[kind]
    const isKnown = (key: string): boolean => [...needs, ...takes].some((known) => known === key)
    const lacking = needs.filter((key) => dig(one, key) === undefined)
    const idle = ofSomeKinds.filter((key) => !isKnown(key) && dig(one, key) !== undefined)
    return [
      ...lacking.map((key) => ({
        path: [...at, index],
        message: `needs \`${key}\`, since it is \`${kind}\``,
        nearest: null,
      })),
      ...idle.map((key) => ({ path: [...at, index, key], message: `says nothing to \`${kind}\``, nearest: null })),
    ]
  })
}
