// What is only looked after, and nobody waits for: reads of a round over everything. They stand behind all others, and take
// no more than a share of what GitHub allows in an hour. Whatever is found that way is dealt with in the foreground.
import { AsyncLocalStorage } from 'node:async_hooks'

const place = new AsyncLocalStorage<'background' | 'foreground'>()

export const inBackground = <T>(work: () => Promise<T>): Promise<T> => place.run('background', work)

export const isInBackground = (): boolean => place.getStore() === 'background'
