// `npm run bundle`: the Action as the one file that runners execute, since they install nothing. The same sources give
// the same bytes everywhere; a test builds them again and compares.
import { rolldown } from 'rolldown'

const folder = 'action/dist'

/**
 * The toolkit brings an HTTP client along for one function that nobody here calls. Its packages do nothing when they are
 * loaded, but do not say so.
 */
const doNothingWhenLoaded = /\/node_modules\/@actions\/(?:http-client\/|core\/lib\/oidc-utils\.js$)/

/** What is built, by path. */
export async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = await rolldown({
    input: { index: 'action/main.ts' },
    platform: 'node',
    transform: { target: 'node24' },
    treeshake: { moduleSideEffects: (path) => !doNothingWhenLoaded.test(path) },
    logLevel: 'warn',
  })
  const { output } = await built.generate({
    format: 'esm',
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await built.close()
  const files = output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : one.source] as const)
  return new Map(files.map(([name, content]) => [`${folder}/${name}`, Buffer.from(content)]))
}
