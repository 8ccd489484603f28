// `npm run bundle`: the Action as the few files that runners execute, since they install nothing. The same sources give
// the same bytes everywhere; a test builds them again and compares.
import { build, type Plugin } from 'esbuild'

const folder = 'action/dist'

/**
 * The toolkit brings an HTTP client along for one function that nobody here calls. Its packages do nothing when they are
 * loaded, but do not say so; told so, the bundler leaves that part to the artifact client, which does use it.
 */
const onlyWhatIsUsed: Plugin = {
  name: 'only-what-is-used',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^@actions\/http-client|\/oidc-utils\.js$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === asked) return null
      const { kind, importer, resolveDir } = from
      return { ...(await bundler.resolve(path, { kind, importer, resolveDir, pluginData: asked })), sideEffects: false }
    })
  },
}
const asked = 'asked'

/** What is built, by path. */
export async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: [{ in: 'action/main.ts', out: 'index' }],
    outdir: folder,
    absWorkingDir: process.cwd(),
    write: false,
    bundle: true,
    // What is imported late stays a file of its own, and is not read before.
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'linked',
    // Some of the packages are CommonJS and ask for modules of Node while they run.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [onlyWhatIsUsed],
    logLevel: 'warning',
  })
  const root = `${process.cwd()}/`
  return new Map(outputFiles.map(({ path, contents }) => [path.replace(root, ''), contents]))
}
