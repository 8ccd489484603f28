// `npm run attack`: everything that somebody hostile may try, by role, against the real App as a process. `-- --json` prints
// one object; `--only <pattern>` and `--role <role>` choose cases, `--list` names them. A case holds when nothing turned
// green that must not, the process never stopped, and what else must be true came true.
import { parseArgs } from 'node:util'
import { anArena, type Outcome, type Verdict } from './arena.ts'
import { roles, type Case, type Role } from './case.ts'
import { allCases } from './all-cases.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    role: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
  },
})
// Each App brings its own embedded store; a shared database would mix them.
delete process.env['DATABASE_URL']

// Only a process that ends by itself takes its Apps along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const wanted = allCases.filter(
  ({ name, role }) => new RegExp(values.only, 'i').test(name) && (values.role === '' || role === values.role),
)
if (wanted.length === 0 || !/^[1-9]$/.test(values.lanes)) {
  console.error(`attack: no case fits. Roles are ${roles.join(', ')}; --lanes takes 1 to 9; --list names the cases.`)
  process.exit(2)
}
const say = (line: string): void => {
  if (!values.json) console.log(line)
}
type Played = Verdict & Pick<Case, 'name' | 'role'>
const played: Played[] = []

async function lane(waiting: Case[]): Promise<void> {
  let arena = await anArena()
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    if (!arena.fit()) {
      await arena.stop().catch(() => {})
      arena = await anArena()
    }
    const verdict = await arena.play(one)
    played.push({ ...verdict, name: one.name, role: one.role })
    say(`${verdict.outcome.padEnd(8)}${one.role}: ${one.name}${verdict.why === '' ? '' : ` (${verdict.why})`}`)
  }
  await arena.stop().catch(() => {})
}

const countOf = (outcome: Outcome, role: Role | null = null): number =>
  played.filter((one) => one.outcome === outcome && (role === null || one.role === role)).length

function figures(role: Role | null = null) {
  const tried = played.filter((one) => role === null || one.role === role).length
  return { tried, held: countOf('held', role), green: countOf('green', role), stopped: countOf('stopped', role) }
}

const namesOf = (outcome: Outcome) =>
  played.filter((one) => one.outcome === outcome).map(({ role, name, why }) => ({ role, name, why }))

if (values.list) {
  for (const { role, name } of wanted) console.log(`${role}: ${name}`)
} else {
  const waiting = [...wanted]
  await Promise.all(Array.from({ length: Number(values.lanes) }, () => lane(waiting)))
  const by_role = Object.fromEntries(roles.map((role) => [role, figures(role)]))
  const open = {
    green: namesOf('green'),
    stopped: namesOf('stopped'),
    missed: namesOf('missed'),
    broken: namesOf('broken'),
  }
  const whole = { ...figures(), by_role, open }
  if (values.json) console.log(JSON.stringify(whole))
  else say(`${whole.tried} tried, ${whole.held} held, ${whole.green} green, ${whole.stopped} stopped`)
}
process.exit(played.every(({ outcome }) => outcome === 'held') ? 0 : 1)
