// `countersign eval build security`: source packages of Debian, pinned by name, version and hash, from a mirror that the user
// names. A package that is done is kept, so that an interrupted run goes on where it was.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotRun } from '../cases/cannot-run.ts'
import { fromMirror, keep, pinned } from './pinned.ts'
import { securityCases, seriesOf, touchedBy, type SetCase } from './security-set.ts'
import { unpacked } from './unpacked.ts'

const file = z.strictObject({ name: z.string().regex(/^[\w.+~-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
export const sourcePins = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/),
    version: z.string().min(1),
    directory: z.string().regex(/^[\w.+/-]+$/),
    original: file,
    debian: file,
  }),
)
export type SourcePin = z.output<typeof sourcePins>[number]
export type Built = { readonly cases: readonly SetCase[]; readonly licence: string }

const built = z.object({ cases: z.array(z.custom<SetCase>()), licence: z.string() })
/** Another way of making cases makes them anew. */
const RELEASE = 1

export async function securityOf(pin: SourcePin, mirror: string | null, cache: string): Promise<Built> {
  const { name, debian, original } = pin
  const kept = join(cache, 'cases', `${name}-${RELEASE}-${debian.sha256.slice(0, 16)}.json`)
  const known = await readFile(kept, 'utf8').catch(() => null)
  if (known !== null) return built.parse(JSON.parse(known))
  const load = async (one: SourcePin['debian']): Promise<Buffer> => {
    const hash = { kind: 'sha256', value: one.sha256, encoding: 'hex' } as const
    return pinned(join(cache, 'downloads', one.name), hash, async () => {
      if (mirror === null)
        throw new CannotRun('say where source packages are with --mirror URL, a mirror of Debian as apt uses it')
      return fromMirror(`${mirror.replace(/\/+$/, '')}/${pin.directory}/${one.name}`)
    })
  }
  const packaging = await unpacked(debian.name, await load(debian), (path) => /^(?:patches\/|copyright$)/.test(path))
  const patches = seriesOf(packaging.get('patches/series') ?? '').map((patch) => {
    return { name: patch.replace(/^.*\//, ''), text: packaging.get(`patches/${patch}`) ?? '' }
  })
  const touched = touchedBy(patches)
  const sources = await unpacked(original.name, await load(original), (path) => touched.has(path))
  const made = { cases: securityCases(`${name} ${pin.version}`, patches, sources), licence: licenceIn(packaging) }
  await keep(kept, JSON.stringify(made))
  return made
}

/** The names of the licences that `debian/copyright` gives. https://www.debian.org/doc/packaging-manuals/copyright-format */
function licenceIn(packaging: ReadonlyMap<string, string>): string {
  const named = [...(packaging.get('copyright') ?? '').matchAll(/^License:\s*(\S.*)$/gim)].map(([, name = '']) => name)
  return [...new Set(named)].slice(0, 12).join(', ') || 'see debian/copyright of the package'
}
