// A release is one version everywhere, and does what the documents say of it: tried as far as that goes without making one.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { VERSION } from '../../src/entry/version.ts'
import { filesMatching, textOf } from '../house/repository.ts'
import { notesOf, releaseProblems } from './release.ts'

const [major = ''] = `v${VERSION}`.split('.')
const step = z.object({ run: z.string().optional(), uses: z.string().optional() })
const workflow = z
  .object({
    on: z.object({ push: z.strictObject({ tags: z.array(z.string()) }) }),
    jobs: z.record(z.string(), z.object({ needs: z.unknown().optional(), steps: z.array(step) })),
  })
  .parse(parse(textOf('.github/workflows/release.yml')))
const runs = (job: string): readonly string[] => workflow.jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []

describe('one version', () => {
  test('in the package, its lock file, the image that compose starts, and the Action of every example', () => {
    const version = z.object({ version: z.string() })
    const lock = z.object({ version: z.string(), packages: z.object({ '': version }) })
    const locked = lock.parse(JSON.parse(textOf('package-lock.json')))
    expect([
      version.parse(JSON.parse(textOf('package.json'))).version,
      locked.version,
      locked.packages[''].version,
    ]).toEqual([VERSION, VERSION, VERSION])
    expect(textOf('.github/deploy/compose.yml')).toContain(`image: ghcr.io/countersign/countersign:${VERSION}\n`)
    const told = filesMatching(/^(?:README\.md|docs\/.*\.(?:md|yml)|\.github\/examples\/.*|src\/core\/words\/.*\.ts)$/)
      .map((path) => ({ path, uses: textOf(path).match(/countersign\/countersign@v[\w.]+/g) ?? [] }))
      .filter(({ uses }) => uses.length > 0)
    expect(told.length).toBeGreaterThan(5)
    expect(told.filter(({ uses }) => uses.some((one) => one !== `countersign/countersign@${major}`))).toEqual([])
  })

  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- More.\n\n## [0.1.0]\n'
  test.each([
    ['v0.2.0', '0.2.0', []],
    ['v0.3.0', '0.2.0', ['the tag is v0.3.0, and package.json says 0.2.0']],
    ['v0.2.0-rc.1', '0.2.0-rc.1', ['the tag v0.2.0-rc.1 is not of the form v1.2.3', 'CHANGELOG.md has no section']],
    ['v0.1.0', '0.1.0', ['CHANGELOG.md has no section `## [0.1.0] - <date>`']],
  ])('the tag %s of version %s', (tag, version, problems) => {
    expect(releaseProblems({ tag, version, changelog })).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    )
  })

  test('its notes are its section, and one without words is none', () => {
    expect(notesOf(changelog, '0.2.0')).toBe('### Added\n\n- More.')
    expect(releaseProblems({ tag: 'v1.0.0', version: '1.0.0', changelog: '## [1.0.0] - 2027-01-01\n\n' })).toEqual([
      'the section of 1.0.0 in CHANGELOG.md says nothing',
    ])
  })

  test('a version tag begins it, and nothing else', () => {
    expect(workflow.on.push.tags).toEqual(['v[0-9]+.[0-9]+.[0-9]+'])
    expect(runs('try')).toContain('npm run -s release -- "$GITHUB_REF_NAME"')
    expect(Object.entries(workflow.jobs).flatMap(([name, { needs = null }]) => [[name, needs]])).toEqual([
      ['try', null],
      ['package', 'try'],
      ['image', 'package'],
      ['action', ['package', 'image']],
    ])
    expect(runs('package').at(-1)).toBe('npm publish --provenance --access public')
  })

  test('its own long tests are there', () => {
    const named = runs('try').flatMap((run) => run.match(/test\/\S+\.test\.ts/g) ?? [])
    expect(named).toHaveLength(2)
    expect(named.filter((path) => filesMatching(/-long\.test\.ts$/).includes(path))).toEqual(named)
  })
})

describe('the last step', () => {
  /** With a `gh` that writes down what it is asked, and knows no tag yet where `isNew`. */
  function played(isNew: boolean): readonly string[] {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-release-'))
    const gh = join(folder, 'gh')
    const refuses = isNew ? 'case "$*" in *PATCH*) exit 1;; esac' : ''
    writeFileSync(gh, `#!/bin/sh\necho "$*" >> "${folder}/asked"\n${refuses}\n`)
    chmodSync(gh, 0o755)
    const env = {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      GITHUB_REF_NAME: 'v3.14.15',
      GITHUB_REPOSITORY: 'countersign/countersign',
    }
    const { status, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', runs('action').at(-1) ?? ''],
      { env },
    )
    expect([status, String(stderr)]).toEqual([0, ''])
    return readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
  }
  const head = String(spawnSync('git', ['rev-parse', 'HEAD']).stdout).trim()
  const release = 'release create v3.14.15 --verify-tag --title v3.14.15 --notes-file notes.md'
  const moved = `api --method PATCH repos/countersign/countersign/git/refs/tags/v3 --raw-field sha=${head} --field force=true`

  test('makes the release, and moves the tag of the major version to the commit', () => {
    expect(played(false)).toEqual([release, moved])
  })

  test('makes that tag where there is none yet', () => {
    const made = `api --method POST repos/countersign/countersign/git/refs --raw-field ref=refs/tags/v3 --raw-field sha=${head}`
    expect(played(true)).toEqual([release, moved, made])
  })
})
