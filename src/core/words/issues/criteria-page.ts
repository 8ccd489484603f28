// What stands at the issue of a task whose criteria nobody could judge by: what is unclear, what follows, and what to paste.
import type { CriteriaSeen } from '../../criteria/criteria.ts'
import { fitted } from '../text/fit.ts'
import { neutralLine } from '../text/neutral.ts'
import { plural } from '../text/plural.ts'
import { stickyMarker } from '../report.ts'
import { fenced } from '../text/untrusted.ts'

const SHOWN_MAX = 20

const follows = {
  off: '',
  warn: 'A change is judged by it all the same, and by the taste of whoever looks.',
  block: 'Nothing is judged by it before it says more.',
} as const satisfies Record<CriteriaSeen['clarification'], string>

export function unclearText({ lacking, clarification }: CriteriaSeen): string {
  const shown = lacking.slice(0, SHOWN_MAX).map((one) => `- ${neutralLine(one)}`)
  const more = lacking.length > SHOWN_MAX ? [`- and ${plural(lacking.length - SHOWN_MAX, 'more', 'more')}`] : []
  return fitted([
    { name: null, text: stickyMarker },
    { name: null, text: '**This task does not say yet by what somebody else could tell that it is done**' },
    { name: 'what is unclear', text: [...shown, ...more].join('\n') },
    { name: null, text: follows[clarification] },
    { name: null, text: `Edit the text above. ${offer}` },
    { name: null, text: fenced(example, 'markdown') },
  ])
}

const offer =
  'In the place of what is unclear this can be pasted, with words such as “When the cart is empty, paying is greyed out”:'
/** Left as it is, it is no clearer than what stands there. */
const example = '### Acceptance criteria\n\n- When …, …\n- When …, …'

export const clearText = (): string =>
  [
    stickyMarker,
    '**This task says by what somebody else can tell that it is done**',
    'What was unclear here is mended.',
  ].join('\n\n')
