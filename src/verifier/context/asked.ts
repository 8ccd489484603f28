// What a reviewer names as unseen, in its own words: paths, lines of a path, and names. Words that name nothing of the
// repository find nothing.
import { definedBy, definitionAround, isTelling } from './definitions.ts'
import type { Candidate, Chosen } from './choose.ts'
import type { Texts } from './sight.ts'

const ASKED_MAX = 12
const WHOLE_LINES_MAX = 200
const AROUND = 30
const DEFINITION_LINES_MAX = 120
const SEARCHED_CHARACTERS_MAX = 64_000_000
const PLACES_PER_NAME_MAX = 4

export function askedFor(asked: readonly string[], texts: Texts): Chosen {
  const known = new Set(texts.paths)
  const byPath = asked.slice(0, ASKED_MAX).flatMap((words) => placesIn(words, known, texts))
  const names = asked.slice(0, ASKED_MAX).flatMap((words) => namesAsked(words, known))
  const byName = names.length === 0 ? [] : definitionsOf([...new Set(names)], texts)
  const notes = !texts.searchable && names.length > 0 ? ['names could not be looked for'] : []
  return { candidates: [...byPath, ...byName], notes }
}

const excerpt = (path: string, from: number, to: number, name: string, worth: number): Candidate => {
  return { path, from, to, why: 'asked', name, worth }
}

function placesIn(words: string, known: ReadonlySet<string>, texts: Texts): Candidate[] {
  return pathsIn(words, known).flatMap(({ path, from, to }) => {
    const lines = texts.textOf(path)?.split('\n')
    if (lines === undefined) return []
    if (from !== null) {
      const end = Math.max(from, to ?? from)
      return [
        excerpt(
          path,
          Math.max(1, from - AROUND),
          Math.min(lines.length, Math.min(end, from + WHOLE_LINES_MAX) + AROUND),
          '',
          110,
        ),
      ]
    }
    return [excerpt(path, 1, Math.min(lines.length, WHOLE_LINES_MAX), '', 105)]
  })
}

type Place = { readonly path: string; readonly from: number | null; readonly to: number | null }

/** `src/a.ts`, `src/a.ts:10`, `src/a.ts:10-40`, `src/a.ts lines 10 to 40`. */
function pathsIn(words: string, known: ReadonlySet<string>): Place[] {
  return [
    ...words.matchAll(
      /([\w@.$/+-]+)(?:[:#]L?(\d{1,7})(?:\s*-\s*L?(\d{1,7}))?|,?\s+lines?\s+(\d{1,7})(?:\s*(?:-|to)\s*(\d{1,7}))?)?/g,
    ),
  ].flatMap(([, word = '', one, two, three, four]) => {
    const path = [word, word.replace(/[.,]+$/, ''), word.replace(/^\.?\//, '')].find((form) => known.has(form))
    if (path === undefined) return []
    const [from, to] = [one ?? three, two ?? four]
    return [{ path, from: from === undefined ? null : Number(from), to: to === undefined ? null : Number(to) }]
  })
}

/** A name is told from prose by its shape, or by the marks around it. */
function namesAsked(words: string, known: ReadonlySet<string>): string[] {
  const marked = Array.from(words.matchAll(/[`'"]([A-Za-z_$][\w$]*)(?:\(\))?[`'"]/g), ([, name = '']) => name)
  const shaped = Array.from(words.matchAll(/(?<![\w/.])([A-Za-z_$][\w$]*)(\(\))?(?![\w/])/g), ([, name = '', call]) =>
    call !== undefined || (/[a-z][A-Z]|_|^\w+$/.test(name) && (words.trim() === name || /[a-z][A-Z]|\w_\w/.test(name)))
      ? name
      : '',
  )
  return [...marked, ...shaped].filter((name) => isTelling(name) && !known.has(name))
}

function definitionsOf(names: readonly string[], texts: Texts): Candidate[] {
  if (!texts.searchable) return []
  const wanted = new Set(names)
  const counts = new Map<string, number>()
  const found: Candidate[] = []
  let characters = 0
  for (const path of texts.paths) {
    if (characters > SEARCHED_CHARACTERS_MAX) break
    const text = texts.textOf(path)
    characters += text?.length ?? 0
    if (text === null || !names.some((name) => text.includes(name))) continue
    const lines = text.split('\n')
    for (const [index, line] of lines.entries()) {
      const name = definedBy(line)
      const nth = name === null ? 0 : (counts.get(name) ?? 0)
      if (name === null || !wanted.has(name) || nth >= PLACES_PER_NAME_MAX) continue
      counts.set(name, nth + 1)
      const around = definitionAround(lines, index + 1) ?? {
        from: index + 1,
        to: Math.min(lines.length, index + AROUND),
      }
      found.push(excerpt(path, around.from, Math.min(around.to, around.from + DEFINITION_LINES_MAX), name, 100 - nth))
    }
  }
  return found
}
