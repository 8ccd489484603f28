// The pages of the repository keep their promises: links lead somewhere, the top level holds what ARCHITECTURE.md
// says and nothing else, and every package that we depend on is pinned and has its reasons written down.
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ourLabels, type Label } from '../../src/core/words/labels.ts'
import { headingAnchors, linkTargets } from './markdown.ts'
import { filesMatching, repositoryFiles, textOf } from './repository.ts'

/** What is wrong with the links of a page. `read` gives the text of a file, or null where there is none. */
function linkProblems(page: string, markdown: string, read: (path: string) => string | null): readonly string[] {
  return linkTargets(markdown).flatMap((target) => {
    if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return []
    const [file = '', anchor] = decodeURI(target).split('#')
    const path = file === '' ? page : posix.join(file.startsWith('/') ? '.' : posix.dirname(page), file)
    const text = read(path)
    if (text === null) return [`${page} links to ${target}, and there is no ${path}`]
    if (anchor === undefined || !path.endsWith('.md') || headingAnchors(text).includes(anchor)) return []
    return [`${page} links to ${target}, and ${path} has no such heading`]
  })
}

function readInRepository(path: string): string | null {
  if (!existsSync(path)) return null
  return path.endsWith('.md') ? textOf(path) : ''
}

const pages = filesMatching(/^(?:docs\/)?[^/]+\.md$/)

test('every link leads somewhere', () => {
  expect(pages.flatMap((page) => linkProblems(page, textOf(page), readInRepository))).toEqual([])
})

test('people are told of every label of ours', () => {
  const page = textOf('docs/commands.md')
  const named = ({ name }: Label): boolean => page.includes(`\`${name}\``) || page.includes(`\`${name.slice(11)}\``)
  expect(ourLabels.filter((label) => !named(label))).toEqual([])
})

test('the README is short, and leads to every page', () => {
  const readme = textOf('README.md')
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  const linked = linkTargets(readme)
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.includes(page))).toEqual([])
})

describe('links', () => {
  const files = new Map([
    ['GUIDE.md', '# The `guide`, in short\n\n## Why?\n\n## Why?\n'],
    ['docs/more.md', '# More'],
  ])
  const problems = (markdown: string) => linkProblems('GUIDE.md', markdown, (path) => files.get(path) ?? null)

  test.each([
    ['[a](MISSING.md)', 'there is no MISSING.md'],
    ['![a](docs/logo.png)', 'there is no docs/logo.png'],
    ['[a][b]\n\n[b]: docs/more.md#less', 'docs/more.md has no such heading'],
    ['[a](#why-2)', 'GUIDE.md has no such heading'],
  ])('%s is reported', (markdown, problem) => {
    expect(problems(markdown)).toEqual([expect.stringContaining(problem)])
  })

  test.each([
    '[a](#the-guide-in-short)',
    '[a](#why-1)',
    '[a](docs/more.md#more)',
    '[a](/docs/more.md)',
    '[a](https://example.com/x#y)',
    '`[a](MISSING.md)`',
    '```\n[a](MISSING.md)\n```',
  ])('%s is fine', (markdown) => {
    // prettier-ignore
    expect(problems(markdown)).toEqual([])
  })
})

const code = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'src',
  'action',
  'action.yml',
  'app.yml',
  'test',
  'docs',
]
const guides = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'CHANGELOG.md', 'SECURITY.md']
const topLevel = new Set([...code, ...guides, 'LICENSE'])

test('the top level holds only what belongs there', () => {
  const entries = new Set(repositoryFiles().map((path) => path.split('/')[0] ?? ''))
  expect([...entries].filter((entry) => !entry.startsWith('.') && !topLevel.has(entry))).toEqual([])
})

const versions = z.record(z.string(), z.string()).default({})
const manifest = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
})
const packages = ['package.json', 'test/node-of-scripts/package.json']
  .map((file) => manifest.parse(JSON.parse(textOf(file))))
  .flatMap((one) => Object.entries({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies }))
  .filter(([, version]) => version !== 'file:test/node-of-scripts')
  // Under a name of ours.
  .map(([name, version]) => [name, version.replace(/^npm:[@\w/-]+@/, '')] as const)

test('every package is pinned to one version', () => {
  expect(packages.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('every package has its reasons in DECISIONS.md', () => {
  const decisions = textOf('DECISIONS.md')
  expect(packages.map(([name]) => name).filter((name) => !decisions.includes(`\`${name}\``))).toEqual([])
})
