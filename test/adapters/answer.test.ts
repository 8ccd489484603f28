import { expect, test } from 'vitest'
import { type Fetch, receive } from '../../src/adapters/github/traffic/answer.ts'
import { fakeTime } from './fake-time.ts'

const url = 'https://api.github.com/repos/ada/engine/pulls/7'

/** A body whose second half comes only when it is called for. */
function slowBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  // Fails when the reader goes away, which some of these tests are about.
  writer.write(Buffer.from('first ')).catch(() => {})
  const finish = async (): Promise<void> => {
    await writer.write(Buffer.from('second'))
    await writer.close()
  }
  return { readable, finish }
}

/** Answers with this body at once, and breaks it off when the request is aborted, as the real one does. */
const answering = (body: ReadableStream, type: string): Fetch => {
  return (_url, { signal }) => {
    const through = new TransformStream()
    void body.pipeTo(through.writable, signal ? { signal } : {}).catch(() => {})
    return Promise.resolve(new Response(through.readable, { headers: { 'content-type': type } }))
  }
}

test('what GitHub does not answer within thirty seconds has failed, and the error says so', async () => {
  const time = fakeTime()
  const silent: Fetch = (_url, { signal }) =>
    new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
  const answer = receive({ time, fetch: silent, stream: false }, url, { method: 'PATCH' }).catch(String)
  await time.advance(30_000)
  expect(await answer).toBe('Error: GitHub did not answer PATCH /repos/ada/engine/pulls/7 within 30 seconds.')
})

test('a text that does not end within thirty seconds has failed as well', async () => {
  const time = fakeTime()
  const fetch = answering(slowBody().readable, 'application/json')
  const answer = receive({ time, fetch, stream: false }, url, {}).catch(String)
  await time.advance(30_000)
  expect(await answer).toContain('did not answer GET')
})

test('an archive may take its time once it has begun', async () => {
  const time = fakeTime()
  const { readable, finish } = slowBody()
  const answer = await receive({ time, fetch: answering(readable, 'application/zip'), stream: false }, url, {})
  await time.advance(60_000)
  const text = answer.body instanceof Response ? answer.body.text() : Promise.resolve('not a stream')
  await finish()
  expect(await text).toBe('first second')
})

test('whoever asked can abort', async () => {
  const abort = new AbortController()
  const fetch = answering(slowBody().readable, 'application/json')
  const answer = receive({ time: fakeTime(), fetch, stream: false }, url, { signal: abort.signal }).catch(String)
  abort.abort(new Error('superseded'))
  expect(await answer).toBe('Error: superseded')
})
