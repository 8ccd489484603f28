// What the check run says of a commit that is not judged, or not yet as its own policy wants it.
import type { PutAside } from '../decision/attempt-state.ts'
import type { CheckRunText } from './report.ts'

const cancelled = { status: 'completed', conclusion: 'cancelled', text: '', annotations: [] } as const
export const notReadyText: CheckRunText = {
  ...cancelled,
  title: 'Not judged: a draft, or closed',
  summary: 'This is not an open, ready pull request.',
}
export const supersededText: CheckRunText = {
  ...cancelled,
  title: 'Superseded by a newer commit',
  summary: 'A newer commit was pushed meanwhile.',
}
export const noPolicyText: CheckRunText = {
  ...cancelled,
  title: 'Not judged: no policy on the base branch',
  summary: 'There is no policy on the base branch, so nothing is judged here, and no rule asks for it.',
}
export const switchedOffText: CheckRunText = {
  ...cancelled,
  conclusion: 'neutral',
  title: 'Not judged: switched off by the policy',
  summary: 'The policy on the base branch says `mode: off`.',
}

/** What a commit shows that was judged and is not any more. */
export function asideTitle(why: PutAside = 'push'): string {
  const titles = {
    push: supersededText.title,
    retarget: 'Superseded: judged for another base',
    policy: 'Superseded: judged by a newer policy',
    draft: notReadyText.title,
    closed: notReadyText.title,
    taken_up: 'Superseded: judged as an attempt at another task',
    task: 'Superseded: judged by what the task asks now',
  } as const satisfies Record<PutAside, string>
  return titles[why]
}

export const modeLater = (mode: string): string =>
  `mode: \`${mode}\` counts once it is on the base branch; until then this is judged as by \`enforce\``
