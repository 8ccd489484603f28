// The package as people get it: packed, and installed into an empty folder as they install it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export type Packed = {
  /** Everything is below it; whoever packs removes it. */
  readonly home: string
  readonly tarball: string
  /** The folder that it was installed into. */
  readonly folder: string
  readonly bin: string
}

export function packed(): Packed {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-package-')))
  npm(['pack', '--pack-destination', home], root)
  const tarball = join(home, readdirSync(home).find((name) => name.endsWith('.tgz')) ?? '')
  const folder = join(home, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], folder)
  return { home, tarball, folder, bin: join(folder, 'node_modules/.bin/countersign') }
}

export function npm(args: readonly string[], cwd: string): string {
  const { status, stderr, stdout } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** As who installed it, with nothing of the clone around it. */
export const bare = (home: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  ...more,
})
