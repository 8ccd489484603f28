// A record in the making: events sealed into a chain, each by whoever brought them about.
import { emptyTail, seal, type Tail } from '../../src/core/decision/record/chain.ts'
import type { NewEvent, RecordedEvent } from '../../src/core/decision/record/events.ts'
import type { Maker } from '../../src/core/people/people.ts'

export function recording(task_id: string, at: string) {
  const stored: RecordedEvent[] = []
  let tail: Tail = emptyTail
  return {
    events: (): readonly RecordedEvent[] => stored,
    add: (events: readonly NewEvent[], by: Maker | null): void => {
      const actor =
        by === null
          ? ({ kind: 'app', login: 'countersign[bot]', id: null } as const)
          : ({ kind: by.kind === 'human' ? 'human' : 'app', login: by.login, id: by.id } as const)
      const sealed = seal(events, tail, { stream: 'R1#7', task_id, at, actor, correlation_id: 'c' })
      stored.push(...sealed)
      const last = sealed.at(-1)
      if (last !== undefined) tail = { version: last.version, hash: last.hash }
    },
  }
}
