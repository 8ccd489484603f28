// The container and what compose starts: as a user without rights, on a root that is read-only, watched, and with nothing
// secret in a file. That it starts like this is tried in container-long.test.ts.
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { textOf } from '../house/repository.ts'
import { readDockerfile } from './dockerfile.ts'

const { stages, last } = readDockerfile(textOf('.github/deploy/Dockerfile'))
const service = z.object({
  image: z.string().regex(/:[\w.]*\d[\w.]*$/),
  user: z.string().regex(/^(?!root|0)/),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
})
const compose = z
  .object({ services: z.object({ app: service, postgres: service }), volumes: z.record(z.string(), z.null()) })
  .parse(parse(textOf('.github/deploy/compose.yml')))

describe('the image', () => {
  test('runs on the Node that the package asks for', () => {
    const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(textOf('package.json')))
    const wanted = /\d+/.exec(engines.node)?.[0]
    expect(stages.map(({ from }) => from)).toEqual([
      `--platform=$BUILDPLATFORM node:${wanted}-slim AS packed`,
      `node:${wanted}-slim`,
    ])
  })

  test('is of a user without rights, says whether it lives, and runs nothing of another platform while it is built', () => {
    expect(last('USER')).toBe('node')
    expect(last('HEALTHCHECK')).toContain('/health/live')
    expect(stages.at(-1)?.instructions.filter(({ word }) => word === 'RUN')).toEqual([])
  })

  test('writes to its volume alone', () => {
    expect([last('VOLUME'), last('WORKDIR')]).toEqual(['/data', '/data'])
    expect(last('ENV')).toMatch(/\bDATA_DIR=\/data\//)
  })
})

describe('compose', () => {
  const { app, postgres } = compose.services

  test('starts the App when its database is there, reachable on this machine alone', () => {
    expect(app.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(postgres.healthcheck?.test).toContain('pg_isready')
    expect(app.ports).toEqual(['127.0.0.1:3000:3000'])
    expect(postgres.ports).toBeUndefined()
  })

  test('sets what the App knows, and holds no secret', () => {
    const page = textOf('docs/operating.md')
    expect(Object.keys(app.environment).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    const secret = Object.values({ ...app.environment, ...postgres.environment }).filter((value) =>
      /key|password/i.test(value),
    )
    expect(secret.filter((value) => !/\$\{\w+:[?-]/.test(value))).toEqual([])
  })

  test('keeps what is to stay in volumes that it names', () => {
    const used = [...app.volumes, ...postgres.volumes].map((one) => one.split(':')[0])
    expect(used).toEqual(Object.keys(compose.volumes))
  })
})

test('a Dockerfile is read as Docker reads it', () => {
  const read = readDockerfile('# one\nFROM a AS b\nRUN x \\\n  && y\nFROM c\n# two\nUSER d\nUSER e\n')
  expect(read.stages).toEqual([
    { from: 'a AS b', instructions: [{ word: 'RUN', rest: 'x   && y' }] },
    {
      from: 'c',
      instructions: [
        { word: 'USER', rest: 'd' },
        { word: 'USER', rest: 'e' },
      ],
    },
  ])
  expect(read.last('USER')).toBe('e')
})
