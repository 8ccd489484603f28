// What the App asks of GitHub, as `app.yml` has it.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const shape = z.looseObject({
  name: z.string(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])),
  default_events: z.array(z.string()),
})
export type Manifest = z.output<typeof shape>

/** In a clone, and in the package, whose code lies one folder deeper. */
const places = ['../../../app.yml', '../../../../app.yml']

export function readManifest(): Manifest {
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const file = files.find((one) => existsSync(one))
  if (file === undefined) throw new Error(`app.yml is missing. It belongs to ${files.join(' or ')}.`)
  return shape.parse(parse(readFileSync(file, 'utf8')))
}
