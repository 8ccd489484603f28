// How much an installation takes on a disk, printed, and held below what it has grown to: all of it in this clone, and what
// the product alone needs, installed by the lock file into an empty folder.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { npm } from '../cli/packed.ts'

const MEGABYTES_MAX = 110
const MEGABYTES_WITH_TOOLS_MAX = 500

function megabytes(folder: string): number {
  const { stdout } = spawnSync('du', ['-sm', folder], { encoding: 'utf8' })
  return Number(/^\d+/.exec(stdout)?.[0])
}

test('what the product needs is small', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-size-'))
  for (const path of ['package.json', 'package-lock.json', 'test/node-of-scripts'])
    cpSync(path, join(folder, path), { recursive: true })
  npm(['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder)
  const size = megabytes(join(folder, 'node_modules'))
  rmSync(folder, { recursive: true })
  console.log(`npm ci --omit=dev: ${size} MB`)
  expect(size).toBeLessThan(MEGABYTES_MAX)
}, 300_000)

test('what work on it needs does not grow unseen', () => {
  // What was compiled or built meanwhile is kept there, too.
  const kept = ['.cache', '.vite', '.vite-temp', '.vitest-cache']
    .map((name) => `node_modules/${name}`)
    .filter((path) => existsSync(path))
  const size = megabytes('node_modules') - kept.reduce((sum, path) => sum + megabytes(path), 0)
  console.log(`npm ci: ${size} MB`)
  expect(size).toBeLessThan(MEGABYTES_WITH_TOOLS_MAX)
})
