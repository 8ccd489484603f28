// What the log leaves out while it cannot be written, said in the log itself.
import { expect, test } from 'vitest'
import { patient, toFile } from '../../../src/entry/app/watched/log.ts'

test('lines that could not be written are counted, and that is said before the next one', () => {
  let [now, isFull] = [0, false]
  const written: string[] = []
  const log = patient(
    (text) => {
      if (isFull) throw new Error('no space is left')
      written.push(text)
    },
    () => now,
  )
  log.write('one\n')
  isFull = true
  log.write('two\n')
  isFull = false
  // Nothing is tried within the second.
  log.write('three\n')
  now = 1_000
  log.write('four\n')
  log.write('five\n')
  const [one, gap, ...rest] = written.join('').split('\n')
  expect([one, ...rest]).toEqual(['one', 'four', 'five', ''])
  expect(JSON.parse(gap ?? '')).toMatchObject({
    level: 40,
    msg: 'of the log 2 lines are missing here: no space is left',
  })
})

test('a line of which a part was written ends before the next one begins', () => {
  let room = 6
  let written = ''
  const put = toFile(1, (_, bytes, at) => {
    if (room === 0) throw new Error('no space is left')
    const part = bytes.subarray(at, at + room)
    room -= part.length
    written += part.toString()
    return part.length
  })
  put('one\n')
  expect(() => put('two\n')).toThrow('no space is left')
  room = 99
  put('three\n')
  put('four\n')
  expect(written).toBe('one\ntw\nthree\nfour\n')
})
