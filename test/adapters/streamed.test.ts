// What comes as a stream comes within its time, or it has failed.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bytesOf } from '../../src/adapters/github/streamed.ts'

const trickle = (bytes: number): ReadableStream<Uint8Array> =>
  ReadableStream.from(
    (async function* (): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < bytes; index += 1) {
        await sleep(20)
        yield Buffer.from('x')
      }
    })(),
  )

test('a stream that ends in time is read whole', async () => {
  expect((await bytesOf(trickle(3), 10, 2_000))?.toString()).toBe('xxx')
})

test('a stream of more than may be is given up', async () => {
  expect(await bytesOf(trickle(5), 3, 2_000)).toBeNull()
})

test('a stream that goes on and on is no answer', async () => {
  await expect(bytesOf(trickle(1_000), 10_000, 200)).rejects.toMatchObject({ name: 'NoAnswer', status: 502 })
})
