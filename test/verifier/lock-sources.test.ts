// Where a package comes from is told, in whichever words a lock file says it, and each entry is told by itself. What is of no
// consequence is a closed list, which holds what is usual.
import { describe, expect, test } from 'vitest'
import { lockDigest } from '../../src/verifier/change/lock-file.ts'
import { aFile } from './lab.ts'

const toldOf = (path: string, lines: readonly string[]) => lockDigest(aFile(path, lines))?.slice(1) ?? []
const npm = (place: string, sign: string, version: string, host: string, integrity: string) => [
  `${sign}    "${place}": {`,
  `${sign}      "version": "${version}",`,
  `${sign}      "resolved": "https://${host}/${place.split('/').at(-1)}-${version}.tgz",`,
  `${sign}      "integrity": "sha512-${integrity}",`,
  `${sign}    },`,
]
const usual = 'registry.npmjs.org'
const moved = [
  '     "node_modules/lodash": {',
  '       "version": "4.17.21",',
  `-      "resolved": "https://${usual}/lodash/-/lodash-4.17.21.tgz",`,
  '-      "integrity": "sha512-good",',
  '+      "resolved": "https://evil.example/lodash-4.17.21.tgz",',
  '+      "integrity": "sha512-evil",',
  '+      "hasInstallScript": true,',
  '     },',
]
const movedWords =
  '  lodash at the same version, from evil.example instead of registry.npmjs.org, other content at the same version, runs a script when it is installed'

describe('each entry is told by itself', () => {
  test.each<[string, readonly string[]]>([
    ['alone', []],
    ['before another version of its package', npm('node_modules/zz/node_modules/lodash', '+', '3.10.1', usual, 'new')],
    ['before one that stands elsewhere under its name', npm('vendor/lodash', '+', '4.17.21', usual, 'good')],
    ['before one in the list of an older version of the format', npm('lodash', '+', '4.17.21', usual, 'good')],
  ])('%s', (_title, behind) => {
    expect(toldOf('package-lock.json', [...moved, ...behind])).toContain(movedWords)
  })

  test('two versions of one package', () => {
    const crate = (version: string, source: string) =>
      ['[[package]]', 'name = "rand"', `version = "${version}"`, `source = "${source}"`].map((line) => `+${line}`)
    const lines = [...crate('0.8.0', 'git+https://evil.example/rand'), ...crate('0.9.0', 'registry+https://a.example')]
    expect(toldOf('Cargo.lock', lines)).toEqual([
      'added 2:',
      '  rand 0.8.0',
      '  rand 0.9.0',
      'from evil.example: 1',
      'from a.example: 1',
    ])
  })

  test('a second word on the same thing is shown as it is', () => {
    const lines = [...npm('node_modules/a', '+', '1.0.0', usual, 'a').slice(0, -1), '+      "version": "6.6.6",']
    expect(toldOf('package-lock.json', lines).slice(-2)).toEqual([
      'other changed lines 1:',
      '  +      "version": "6.6.6",',
    ])
  })

  test('one that a file has in two places', () => {
    const lines = [
      '+  a@1.0.0:',
      '+    resolution: {integrity: sha512-a}',
      '-  a@0.9.0:',
      '-    resolution: {integrity: sha512-b}',
      '+  a@1.0.0:',
      '+    dependencies:',
      '-  a@0.9.0:',
    ]
    expect(toldOf('pnpm-lock.yaml', lines)).toEqual(['changed 1:', '  a 0.9.0 to 1.0.0'])
  })
})

const changed = (name: string, ...lines: readonly string[]) => [` ${name}`, ...lines]
const atNpm = (name: string, version: string) =>
  `      "resolved": "https://${usual}/${name}/-/${name}-${version}.tgz",`

describe('where a package comes from is told', () => {
  test.each<[string, string, readonly string[], string]>([
    ['another package under its name', 'package-lock.json', changed('    "node_modules/lodash": {', `-${atNpm('lodash', '1.0.0')}`, `+${atNpm('evil-pkg', '1.0.1')}`), '  lodash at the same version, from the address of evil-pkg'],
    ['an alias', 'package-lock.json', changed('    "node_modules/lodash": {', '+      "name": "evil-pkg",'), '  lodash at the same version, which is evil-pkg'],
    ['an address among ranges', 'package-lock.json', changed('    "node_modules/a": {', '+        "b": "git+https://evil.example/b.git",'), '  +        "b": "git+https://evil.example/b.git",'],
    ['a repository in short', 'package-lock.json', changed('    "node_modules/a": {', '+        "b": "evil/b",'), '  +        "b": "evil/b",'],
    ['the address of an entry', 'pnpm-lock.yaml', ['+  a@https://evil.example/a.tgz:', '+    resolution: {tarball: https://evil.example/a.tgz}'], '  a , which is https://evil.example/a.tgz'],
    ['a repository', 'pnpm-lock.yaml', changed('  a@1.0.0:', '-    resolution: {integrity: x}', '+    resolution: {type: git, repo: https://evil.example/a.git, commit: ab}'), 'from evil.example: 1'],
    ['a directory', 'pnpm-lock.yaml', changed('  a@1.0.0:', '+    resolution: {directory: ../a, type: directory}'), '  +    resolution: {directory: ../a, type: directory}'],
    ['a source', 'poetry.lock', changed('name = "requests"', '+[package.source]', '+type = "git"', '+url = "https://evil.example/requests.git"'), 'from evil.example: 1'],
    ['a wheel', 'uv.lock', changed('name = "requests"', '+    { url = "https://evil.example/requests-2.0.1-py3-none-any.whl", hash = "sha256:aa", size = 1 },'), 'from evil.example: 1'],
    ['a wheel of another package', 'uv.lock', changed('name = "requests"', '+    { url = "https://a.example/evil_pkg-2.0.1-py3-none-any.whl", hash = "sha256:aa", size = 1 },'), '  requests at the same version, from the address of evil_pkg-2.0.1-py3-none-any, other content at the same version'],
    ['another package of the same registry', 'yarn.lock', changed('"lodash@^4.0.0":', '+  resolved "https://registry.yarnpkg.com/evil-pkg/-/evil-pkg-1.0.0.tgz"'), '  lodash at the same version, from the address of evil-pkg'],
    ['another package by its name', 'yarn.lock', changed('"lodash@npm:^4.0.0":', '+  resolution: "evil-pkg@npm:4.17.21"'), '  lodash at the same version, from the address of evil-pkg'],
    ['another package that an entry asks for', 'yarn.lock', ['+"lodash@npm:evil-pkg@^1.0.0":', '+  version "1.0.0"'], '  lodash 1.0.0, which is lodash@npm:evil-pkg@^1.0.0'],
    ['another content', 'go.sum', ['-example.com/x v1.0.0 h1:a=', '+example.com/x v1.0.0 h1:c=', ' example.com/x v1.0.0/go.mod h1:b='], '  example.com/x v1.0.0, other content at the same version'],
    ['a file that is new at the same version', 'poetry.lock', changed('name = "requests"', '+    {file = "requests-1.0.0.tar.gz", hash = "sha256:aa"},'), '  requests at the same version, other content at the same version'],
    ['another place of all gems', 'Gemfile.lock', ['-  remote: https://rubygems.org/', '+  remote: https://evil.example/'], '  +  remote: https://evil.example/'],
    ['another address of a gem\'s neighbour', 'Gemfile.lock', [' GIT', '+  revision: abcdef'], '  +  revision: abcdef'],
    ['another repository', 'composer.lock', changed('            "name": "a/b",', '-                "url": "https://github.com/a/b.git",', '+                "url": "https://evil.example/b.git",'), '  a/b at the same version, from evil.example instead of github.com'],
    ['an address that nothing is fetched from', 'package-lock.json', changed('    "node_modules/a": {', '+        "url": "https://give.example/a"'), 'url at give.example: 1'],
  ])('%s: %s', (_title, path, lines, words) => {
    expect(toldOf(path, lines)).toContain(words)
  }) // prettier-ignore

  test('and a name that Python spells otherwise in files is the same', () => {
    const lines = [
      ' name = "Foo.bar"',
      '+    { url = "https://a.example/foo_bar-2.0.1.tar.gz", hash = "sha256:aa", size = 1 },',
    ]
    expect(toldOf('uv.lock', lines).join('\n')).not.toContain('address of')
  })
})

describe('what is usual is of no consequence', () => {
  test.each<[string, string]>([
    ['package-lock.json', '    "node_modules/a": {|      "dev": true,|      "license": "(MIT OR Apache-2.0)",|      "dependencies": {|        "@a/b": ">=1.0.0 <2 \\|\\| ^3.0.0-0",|      },|      "bin": {|        "a": "bin/a.js"|      },|      "os": [|        "linux"|      ],|      "peerDependenciesMeta": {|    }'],
    ['yarn.lock', '# yarn lockfile v1|"@a/b@^1.0.0", "@a/b@^1.1.0":|  dependencies:|    c "^3.0.0 \\|\\| ^4"|    "@s/d" "1"|__metadata:|"@a/b@npm:^1.0.0, @a/b@npm:^1.1.0":|  dependencies:|    c: "npm:^4.0.0"|  bin:|    a: ./bin/a|  peerDependenciesMeta:|    react:|      optional: true|  languageName: node|  linkType: hard|  conditions: os=linux & cpu=x64'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'|settings:|  autoInstallPeers: true|importers:|  .:|    dependencies:|      a:|        specifier: ^4.17.21|        version: 4.17.21(react@18.0.0)|packages:|  '@a/b@1.0.0(react@18.0.0)':|    engines: {node: '>=6.9.0'}|    peerDependencies:|      '@a/x': ^7.0.0 \\|\\| ^8.0.0-0|    deprecated: no more|    hasBin: true|    dependencies:|      '@s/d': 1.2.3(react@18.0.0)|    transitivePeerDependencies:|      - supports-color|    optional: true"],
    ['Cargo.lock', '# This file is generated.|[[package]]|name = "a"|dependencies = [| "memchr",| "windows-sys 0.48.0",|]'],
    ['uv.lock', "[[package]]|name = \"a\"|dependencies = [|    { name = \"b\", marker = \"python_full_version < '3.11'\" },|    { name = \"c\" },|]|wheels = [|]|[package.optional-dependencies]"],
    ['poetry.lock', '[[package]]|name = "a"|description = "A client, for all"|optional = false|python-versions = ">=3.8"|groups = ["main"]|files = [|]|[package.dependencies]|b = ">=1.1.2"|c = {version = ">=4.0,<5.0", markers = "python_version < \\"3.11\\""}|[package.extras]|d = ["e", "f"]'],
    ['Gemfile.lock', 'GEM|  specs:|    a (7.0.0)|      b (= 7.0.0)|PLATFORMS|  x86_64-linux|DEPENDENCIES|  a (~> 7.0)|  c!|BUNDLED WITH|   2.3.3'],
    ['composer.lock', '            "name": "a/b",|            "source": {|                "type": "git",|            },|            "require": {|                "php": ">=7.2.5 \\|\\| ^8.0"|            },|            "license": [|                "MIT"|            ],|                    "name": "Ada",|            "time": "2021-01-01T00:00:00+00:00"|        },'],
  ])('in %s', (path, text) => {
    const lines = text.split(/(?<!\\)\|/).map((line) => `+${line.replaceAll(String.raw`\|`, '|')}`)
    expect(toldOf(path, lines).filter((line) => /other changed|^ {2}\+|evil| at /.test(line))).toEqual([])
  }) // prettier-ignore
})
