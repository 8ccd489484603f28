// What people put into their Prometheus and their Grafana names only figures that the App has, and is well formed. What
// promtool says of the rules is a command of its own, since not everybody has it.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { policyFile } from '../../src/core/contract/scope.ts'
import { metricsText } from '../../src/entry/app/watched/metrics.ts'
import { telling } from '../../src/entry/app/watched/telling.ts'
import { countedTrouble } from '../../src/entry/app/watched/trouble.ts'
import { textOf } from './repository.ts'

const counters = { requests: 1, not_modified: 0, waited_ms: 0, limited: 0 }
const text = metricsText(
  { waiting: 0, active: 0, dead: 0, oldest_waiting_at: null },
  {
    loop: { delaySecondsMax: 0, busySecondsMax: 0, blocked: 0 },
    reading: { threads: 0, waiting: 0, ended: 0 },
    pacing: {
      send: () => Promise.reject(new Error('nothing is sent')),
      counters: () => new Map(['7', '8'].map((installation) => [installation, counters])),
      left: () => new Map(['7', '8'].map((installation) => [installation, new Map([['core', 5_000]])])),
    },
    trouble: countedTrouble(),
    told: telling({ info: () => undefined }, () => 0, String).figures(),
    now: 0,
    skewSeconds: 0,
    outages: 0,
  },
)
const names = new Set([
  ...Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => name),
  ...Array.from(text.matchAll(/^([a-z_]+)(?=[{ ])/gm), ([name]) => name),
])

test('all lines of a metric stand together, with what it is before them, also for several installations', () => {
  const nameIn = (line: string): string =>
    /^(?:# \w+ )?([a-z_]+?)(?:_(?:bucket|sum|count))?(?![a-z_])/.exec(line)?.[1] ?? ''
  const lines = text.trimEnd().split('\n')
  const groups = lines.map(nameIn).filter((name, index, all) => name !== all[index - 1])
  expect(groups).toEqual([...new Set(groups)])
  expect(groups.filter((name) => !lines.some((line) => line.startsWith(`# TYPE ${name} `)))).toEqual([])
})

/** Prometheus says this one of everything that it reads. */
const isKnown = (name: string): boolean => names.has(name) || name === 'up'
const namedIn = (expression: string): readonly string[] =>
  Array.from(
    expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').matchAll(/\b(?:countersign|process)_[a-z_]+\b/g),
    ([name]) => name,
  )

const alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Countersign[A-Za-z]+$/),
          expr: z.string().min(1),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'warn', 'info']) }),
          annotations: z.strictObject({ summary: z.string().min(1), description: z.string().min(1) }),
        }),
      ),
    }),
  ),
})
const place = z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() })
const dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      gridPos: place,
      targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string() })).min(1),
    }),
  ),
})

test('every alarm names figures that are there, and says in words what to do', () => {
  const rules = alerts.parse(parse(textOf('.github/deploy/alerts.yml'))).groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(5)
  expect(rules.flatMap(({ expr }) => namedIn(expr)).filter((name) => !isKnown(name))).toEqual([])
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

test('every panel of the dashboard names figures that are there, and has a place of its own', () => {
  const { panels, templating } = dashboard.parse(JSON.parse(textOf('.github/deploy/dashboard.json')))
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => query),
  ]
  expect(asked.flatMap(namedIn).filter((name) => !isKnown(name))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length)
  const variables = new Set(templating.list.map(({ name }) => `$${name}`))
  const used = asked.flatMap((one) => one.match(/\$[a-z]+/g) ?? [])
  expect(used.filter((name) => !variables.has(name))).toEqual([])
})

test('every figure of ours is explained to whoever operates the App', () => {
  const page = textOf('docs/operating.md')
  const ends = (name: string): string => name.replace(/^countersign_[a-z]+/, '')
  const isExplained = (name: string): boolean => page.includes(`\`${name}\``) || page.includes(`\`${ends(name)}\``)
  const ours = [...names].filter((name) => !/_(?:bucket|sum|count)$/.test(name))
  expect(ours.filter((name) => !isExplained(name))).toEqual([])
})

test('the entry for the SchemaStore names the file that is read, and the schema that is there', () => {
  const entry = z.object({ fileMatch: z.array(z.string()), url: z.string(), name: z.string(), description: z.string() })
  const { fileMatch, url } = entry.parse(JSON.parse(textOf('.github/deploy/schemastore.json')))
  expect(fileMatch).toEqual([policyFile])
  const [, path = ''] = /\/main\/(.+)$/.exec(url) ?? []
  expect(JSON.parse(textOf(path))).toMatchObject({ title: 'Countersign policy' })
})
