// CODEOWNERS as GitHub reads it: of each path the last pattern that matches names its owners. What GitHub would skip as a
// mistake is a mistake here, since whoever was meant by it would not be asked.
// https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
import { matchesGlob } from './glob.ts'
import { isAccountOrTeam } from '../names.ts'

/** The first of these that is there counts. */
export const ownersFiles = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const
/** GitHub does not load a larger one. */
export const OWNERS_BYTES_MAX = 3 * 1024 * 1024

/** `owners`: logins, org/team and e-mail addresses, as they are named in policies. */
export type OwnersRule = { readonly globs: readonly string[]; readonly owners: readonly string[] }
export type OwnersReading = { readonly rules: readonly OwnersRule[] } | { readonly broken: string }

export function readOwners(text: string): OwnersReading {
  const rules: OwnersRule[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    // A blank within a pattern is escaped.
    const [pattern, ...owners] = line.trim().match(/(?:\\.|\S)+/g) ?? []
    if (pattern === undefined || pattern.startsWith('#')) continue
    const ends = owners.findIndex((owner) => owner.startsWith('#'))
    const named = ends === -1 ? owners : owners.slice(0, ends)
    const nobody = named.find((owner) => !isOwner(owner))
    if (isNoPattern(pattern)) return { broken: `line ${index + 1}: \`${pattern}\` is no pattern of CODEOWNERS` }
    if (nobody !== undefined) return { broken: `line ${index + 1}: \`${nobody}\` is no owner` }
    rules.push({ globs: globsOf(pattern), owners: named.map((owner) => owner.replace(/^@/, '')) })
  }
  return { rules }
}

/** Empty where nobody owns it, also where the last pattern that matches names nobody. */
export const ownersOf = (rules: readonly OwnersRule[], path: string): readonly string[] =>
  rules.findLast(({ globs }) => globs.some((glob) => matchesGlob(glob, path)))?.owners ?? []

export const isEmail = (name: string): boolean => /^[^@\s]+@[^@\s]+$/.test(name)
export const isTeam = (name: string): boolean => name.includes('/')

const isOwner = (owner: string): boolean => isAccountOrTeam(owner) || isEmail(owner)

/** It knows neither negation nor ranges, which elsewhere would be patterns. */
const isNoPattern = (pattern: string): boolean => pattern.startsWith('!') || /(?<!\\)[[\]]/.test(pattern)

/** Our patterns know braces, which are plain signs there, and name files alone where those name folders with all in them. */
function globsOf(pattern: string): string[] {
  const plain = pattern.replaceAll(/[{}]/g, String.raw`\$&`)
  const isFolder = plain.endsWith('/')
  const body = plain.replace(/^\//, '').replace(/\/$/, '')
  const place = plain.startsWith('/') || body.includes('/') ? body : `**/${body}`
  if (isFolder) return [`${place}/**`]
  // `docs/*` is what lies in it, and nothing further down.
  return body.endsWith('/*') ? [place] : [place, `${place}/**`]
}
