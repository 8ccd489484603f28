// The files that a repository on GitHub would begin with, and where GitHub lets people create them with what is in them.
// https://docs.github.com/en/repositories/working-with-files/managing-files/creating-new-files
import type { ProjectSeen } from '../../adapters/github/files/project.ts'
import type { StarterFile } from '../../core/decision/model.ts'
import { existingCi } from './existing-ci.ts'
import { proposalFor, workflowFile } from './proposal.ts'
import { toolchainsOf } from './toolchains.ts'

/** By path, in the order in which they are to be read. */
export type Starter = Readonly<Record<string, string>>

/** Longer addresses are refused on their way. */
const ADDRESS_LENGTH_MAX = 7_000

export function starterOf({ names, texts, workflows }: ProjectSeen): Starter {
  const isOwn = (name: string): boolean => workflowFile.endsWith(`/${name}`)
  const others = Object.entries(workflows).filter(([name]) => !isOwn(name))
  const isThere = others.length < Object.keys(workflows).length
  const found = {
    toolchains: toolchainsOf({ has: (path) => names.includes(path), text: (path) => texts[path] ?? '' }),
    ci: existingCi(new Map(others)),
    policy: null,
  }
  const proposal = proposalFor(found, false)
  const files = proposal.kind === 'files' ? [...proposal.files] : [...plain]
  return Object.fromEntries(files.filter(([path]) => path !== workflowFile || !isThere))
}

/** For a repository of which nothing is known. */
const plainProposal = proposalFor({ toolchains: [], ci: { adoptable: [], left: [] }, policy: null }, false)
const plain = plainProposal.kind === 'files' ? plainProposal.files : new Map<string, string>()

/** `pages`: where people meet this GitHub. */
export function linksFor(starter: Starter, pages: string, fullName: string, branch: string): readonly StarterFile[] {
  const place = `${pages}/${[...fullName.split('/'), 'new', ...branch.split('/')].map(encoded).join('/')}`
  return Object.entries(starter).map(([path, text]) => {
    const whole = `${place}?filename=${encoded(path)}&value=${encoded(text)}`
    const shorter = `${place}?filename=${encoded(path)}&value=${encoded(plain.get(path) ?? '')}`
    return { path, url: whole.length <= ADDRESS_LENGTH_MAX ? whole : shorter }
  })
}

/** Also what ends a link in Markdown. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
