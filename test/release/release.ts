// What a release has to be, held before anything of it is out: one version everywhere, and words for it.

export type Release = {
  /** As git has it, such as `v0.1.0`. */
  readonly tag: string
  readonly version: string
  readonly changelog: string
}

export const tagPattern = /^v\d+\.\d+\.\d+$/

export function releaseProblems({ tag, version, changelog }: Release): readonly string[] {
  const notes = notesOf(changelog, version)
  return [
    ...(tagPattern.test(tag) ? [] : [`the tag ${tag} is not of the form v1.2.3`]),
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, and package.json says ${version}`]),
    ...(notes === null
      ? [`CHANGELOG.md has no section \`## [${version}] - <date>\`: give the unreleased one that name`]
      : []),
    ...(notes === '' ? [`the section of ${version} in CHANGELOG.md says nothing`] : []),
  ]
}

/** What CHANGELOG.md says of a version; null where it has no dated section for it. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const own = sections.find((section) => {
    const [head = ''] = section.split('\n')
    return head.startsWith(`[${version}] - `) && /- \d{4}-\d\d-\d\d$/.test(head)
  })
  return own === undefined ? null : own.slice(own.indexOf('\n')).trim()
}
