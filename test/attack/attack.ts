// `npm run attack`: everything that somebody hostile may try, by role, against the real App as a process.
import { anArena, type Outcome, type Verdict } from './arena.ts'
import { roles, type Case, type Role } from './case.ts'
import { allCases } from './all-cases.ts'
import { asked } from '../options.ts'

const about = `A case holds when nothing turned green that must not, the process never stopped, and what else must be true came true. Ends
with 1 where one does not hold.`
const { is, text, whole, pattern, refused } = asked('attack', about, {
  only: { takes: 'pattern', about: 'only cases whose name fits this regular expression' },
  role: { takes: 'role', about: `only those of one role: ${roles.join(', ')}` },
  lanes: { takes: 'number', about: 'how many are tried at once, up to 9', default: '2' },
  list: { about: 'name the cases and end' },
  json: { about: 'print one JSON object' },
})
const [only, role, lanes] = [pattern('only'), text('role'), whole('lanes', 1)]
// Each App brings its own embedded store; a shared database would mix them.
delete process.env['DATABASE_URL']

// Only a process that ends by itself takes its Apps along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const wanted = allCases.filter((one) => only.test(one.name) && (role === '' || one.role === role))
if (wanted.length === 0) refused('no case fits; --list names them')
if (lanes > 9) refused('--lanes takes 1 to 9')
const say = (line: string): void => {
  if (!is('json')) console.log(line)
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

if (is('list')) {
  for (const { role, name } of wanted) console.log(`${role}: ${name}`)
} else {
  const waiting = [...wanted]
  await Promise.all(Array.from({ length: lanes }, () => lane(waiting)))
  const by_role = Object.fromEntries(roles.map((role) => [role, figures(role)]))
  const open = {
    green: namesOf('green'),
    stopped: namesOf('stopped'),
    missed: namesOf('missed'),
    broken: namesOf('broken'),
  }
  const whole = { ...figures(), by_role, open }
  if (is('json')) console.log(JSON.stringify(whole))
  else say(`${whole.tried} tried, ${whole.held} held, ${whole.green} green, ${whole.stopped} stopped`)
}
process.exit(played.every(({ outcome }) => outcome === 'held') ? 0 : 1)
