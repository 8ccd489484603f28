// The pictures of the README are there, small, and drawn from what the code writes now. No browser is needed to know that.
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { textOf } from '../house/repository.ts'
import { checkIn, fileOf, pages, schemes, sourcesFile, sourcesNow } from './pictures.ts'
import { htmlOf } from './plain-page.ts'

const BYTES_MAX = 150 * 1024
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const files = Object.keys(pages).flatMap((name) => schemes.map((scheme) => fileOf(name, scheme)))

test('what they were drawn from is what is written now; if not, `npm run pictures` draws them anew', () => {
  expect(JSON.parse(textOf(sourcesFile))).toEqual(sourcesNow())
})

test.each(files)('%s is a small picture, wide enough to be read', (file) => {
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 8)).toEqual(png)
  // https://www.w3.org/TR/png-3/#11IHDR
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20) > 600]).toEqual([1520, true])
  expect(statSync(file).size).toBeLessThan(BYTES_MAX)
})

test('the README shows each, in light and in dark, with words for who cannot see it', () => {
  const readme = textOf('README.md')
  const shown = Array.from(readme.matchAll(/(?:srcset|src)="([^"]+)"/g), ([, path]) => path)
  expect(new Set(shown)).toEqual(new Set(files))
  expect(readme.match(/<img [^>]*alt="[^"]{20,}"/g)).toHaveLength(Object.keys(pages).length)
})

describe('the plain page', () => {
  test('has what Markdown says, tables too, and no tag that a text brings', () => {
    const text = '**A** `<b>` <br> [c](d)\n\n| a | b |\n|---|---|\n| `x` | 1<br>2 \\| 3 |\n\n- one\n- two\n'
    expect(htmlOf(text)).toBe(
      '<p><strong>A</strong> <code>&lt;b&gt;</code> <br> <a href="d">c</a></p>\n' +
        '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td><code>x</code></td><td>1<br>2 | 3</td></tr>\n</table>\n' +
        '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n',
    )
  })

  test('is of a state that is there', () => {
    expect(() => checkIn('# Gallery\n', 'Nothing')).toThrow('no check run under "Nothing"')
    expect(checkIn('## A\n\n**Check run `c`, failure: F**\n\n> **F**\n>\n> text\n\n**Labels:** `l`\n', 'A')).toEqual({
      name: 'c',
      conclusion: 'failure',
      summary: '**F**\n\ntext\n',
    })
  })
})
