// What runners execute is what the sources say.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundle } from '../../action/bundle.ts'
import { git } from './origin.ts'

test('the bundle is what the sources make, byte for byte', async () => {
  const built = await bundle()
  const tracked = git('.', ['ls-files', 'action/dist']).split('\n')
  expect([...built.keys()].toSorted()).toEqual(tracked.toSorted())
  const differing = [...built].filter(([path, bytes]) => !readFileSync(path).equals(bytes)).map(([path]) => path)
  expect(differing).toEqual([])
}, 60_000)
