// Words that could be paths, in what a reviewer says it has not seen. Whether they are is for the commit to say.

const PATHS_MAX = 20

export function pathsAsked(asked: readonly string[]): string[] {
  const words = asked.flatMap((text) => text.slice(0, 600).match(/[\w@.$/+-]+/g) ?? [])
  const paths = words.map((word) => word.replace(/^\.?\//, '').replace(/[.,]+$/, ''))
  return [...new Set(paths)].filter((path) => /[./]/.test(path)).slice(0, PATHS_MAX)
}
