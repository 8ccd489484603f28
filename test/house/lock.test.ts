// The lock file is whole: npm leaves the builds of other platforms out when it could not reach them, and then refuses
// to install from what it wrote itself.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from './repository.ts'

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

function missingFrom(text: string): string[] {
  const { packages } = lockFile.parse(JSON.parse(text))
  return Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter(
      (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    ),
  )
}

test('every optional package that another one names has its entry', () => {
  expect(missingFrom(textOf('package-lock.json'))).toEqual([])
})

test('a missing one is found', () => {
  const lock = {
    packages: { 'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0' } }, 'node_modules/b': {} },
  }
  expect(missingFrom(JSON.stringify(lock))).toEqual(['a-linux'])
})

test('types of GitHub’s API, which take five megabytes each time, are there once', () => {
  const { packages } = lockFile.parse(JSON.parse(textOf('package-lock.json')))
  const copies = Object.keys(packages).filter((path) => path.endsWith('node_modules/github-api-types'))
  expect(copies).toEqual(['node_modules/github-api-types'])
})

test('no package runs a script when it is installed', () => {
  const { packages } = lockFile.parse(JSON.parse(textOf('package-lock.json')))
  const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(scripts.map(([path]) => path)).toEqual([])
})
