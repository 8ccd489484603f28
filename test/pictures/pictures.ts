// The pictures of the README, as the pages that a browser is shown: a state of the gallery, which a test holds against the
// rules, and the App's own page, from the function that serves it. What a page was drawn from is kept as a hash beside it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pageText } from '../../src/entry/app/registration/page.ts'
import { registeredPage } from '../../src/entry/app/registration/words.ts'
import { checkPage } from './plain-page.ts'

export const folder = 'docs/pictures'
export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const shownState = 'The AI review objects at a line'

export const pages: Readonly<Record<string, () => string>> = {
  check: () => {
    const { name, conclusion, summary } = checkIn(readFileSync('docs/gallery.md', 'utf8'), shownState)
    return checkPage(name, conclusion, summary)
  },
  registered: () =>
    pageText(
      registeredPage(
        {
          page: 'https://github.com/apps/countersign-of-acme',
          file: '/srv/countersign/.env',
          worked: { refused: null, heard: ['installation'], lastTry: null, installed: ['acme'] },
        },
        {},
      ),
    ),
}

export const fileOf = (name: string, scheme: Scheme): string => `${folder}/${name}-${scheme}.png`
export const sourcesFile = `${folder}/sources.json`

/** By name, what each picture has to have been drawn from. */
export const sourcesNow = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [name, createHash('sha256').update(page()).digest('hex')]),
  )

export function checkIn(gallery: string, title: string) {
  const section = gallery.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  const [, name, conclusion] = /^\*\*Check run `([^`]+)`, ([a-z_ ]+): /m.exec(section) ?? []
  const [quoted = ''] = /(?:^>.*\n)+/m.exec(section) ?? []
  if (name === undefined || conclusion === undefined || quoted === '')
    throw new Error(`The gallery has no check run under "${title}". Name another state in test/pictures/pictures.ts.`)
  return { name, conclusion, summary: quoted.replaceAll(/^> ?/gm, '') }
}
