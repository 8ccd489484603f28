// Which release asked: every byte that a question has beside the change, its task and its policy. Answers on record are
// good only for the release that got them.
import { canonical, sha256 } from '../../core/canonical.ts'
import { answerSchema } from '../weighing/answer.ts'
import { findingsSchema } from '../weighing/found.ts'
import { refutationSchema } from '../weighing/refuted.ts'
import { attackSchema } from '../attack/answer.ts'
import { viewSchema } from '../vision/answer.ts'
import { whyWords } from '../context/sight.ts'
import { fenceTags } from './fence.ts'
import { decompositionFormat } from './probes.ts'
import { layout } from './prompt.ts'
import { controlOf, controlText } from './control.ts'
import { findingLenses, lenses, roleChunks } from './role.ts'

/** Words with numbers in them are hashed as they are for some numbers. */
const words = Object.values(layout).map((one) => (typeof one === 'string' ? one : one(1, 2)))

export const releaseOf = (texts: readonly unknown[]): string => sha256(canonical(texts)).slice(0, 12)

export const promptRelease: string = releaseOf([
  roleChunks,
  lenses,
  findingLenses,
  controlText(controlOf([], () => '00000000')),
  words,
  fenceTags,
  whyWords,
  answerSchema,
  findingsSchema,
  refutationSchema,
  attackSchema,
  viewSchema,
  decompositionFormat,
])
