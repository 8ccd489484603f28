// GitHub dates what happens to the second: what is to be later than something else happens a second later.
import { setTimeout as sleep } from 'node:timers/promises'

export const aSecond = (): Promise<void> => sleep(1_100)

/** What is done at once from then on is of one second. */
export const beginningOfASecond = (): Promise<void> => sleep(1_000 - (Date.now() % 1_000))
