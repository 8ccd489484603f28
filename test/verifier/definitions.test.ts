// Names and definitions in the languages that people write: which name a line defines, and which definition a line stands in.
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { definedBy, definitionAround, namesIn } from '../../src/verifier/context/definitions.ts'

describe('a line defines', () => {
  test.each([
    ['export async function loadUser(id: string) {', 'loadUser'],
    ['export const loadUser = async (id) => {', 'loadUser'],
    ['  private readonly async loadUser(id: string): Promise<User> {', 'loadUser'],
    ['export abstract class Store<T> implements Map<T> {', 'Store'],
    ['export type Price = {', 'Price'],
    ['def load_user(self, id):', 'load_user'],
    ['    async def load_user(', 'load_user'],
    ['class Store(Base):', 'Store'],
    ['func (s *Store) LoadUser(id int) (*User, error) {', 'LoadUser'],
    ['func LoadUser(id int) error {', 'LoadUser'],
    ['pub fn load_user(id: u64) -> User {', 'load_user'],
    ['impl Store for Disk {', null],
    ['macro_rules! vec_of {', 'vec_of'],
    ['  public static User loadUser(int id) throws Failure {', 'loadUser'],
    ['static int load_user(struct user *u) {', 'load_user'],
    ["test('adds', () => {", 'test'],
    ['  rows.forEach((row) => {', null],
    ['  return rows.map((row) => {', null],
    ['int load_user(int id) {', 'load_user'],
    ['fun loadUser(id: Int): User {', 'loadUser'],
    ['  def load_user(id)', 'load_user'],
    ['CREATE TABLE IF NOT EXISTS users (', 'users'],
    ['#define MAX_USERS 10', 'MAX_USERS'],
    ['defp load_user(id) do', 'load_user'],
    ['  if (isAdmin(user)) {', null],
    ['  return loadUser(id)', null],
    ['  while (next()) {', null],
    ['loadUser(id)', null],
    ['x'.repeat(600), null],
  ])('%s', (line, name) => {
    expect(definedBy(line)).toBe(name)
  })
})

const typescript = `import { a } from './a.ts'

/** Loads. */
export function load(
  id: string,
  anew = false,
) {
  if (anew) {
    return a(id)
  }

  return null
}

export class Store {
  constructor(private readonly db: Db) {}

  find(id: string): User | null {
    const row = this.db.get(id)
    return row ?? null
  }
}
const last = 1
`.split('\n')
const python = `import os


@cached
def load(id):
    for one in rows:
        if one:
            return one

    return None


class Store:
    def find(self, id):
        return 1
last = 2
`.split('\n')
const allman = `namespace Shop
{
    public class Store
    {
        public int Find(int id)
        {
            return id;
        }
    }
}
`.split('\n')
const go = `package shop

// Load loads.
func Load(id int) int {
	if id > 0 {
		return id
	}
	return 0
}
`.split('\n')

describe('the definition around', () => {
  test.each<[string, readonly string[], number, string | null]>([
    ['a body', typescript, 9, '3-13 load'],
    ['a blank line', typescript, 11, '3-13 load'],
    ['a parameter', typescript, 6, '3-13 load'],
    ['a brace', typescript, 13, '3-13 load'],
    ['a method', typescript, 19, '18-21 find'],
    ['a class', typescript, 17, '15-22 Store'],
    ['a single line', typescript, 23, '23-23 last'],
    ['an import', typescript, 1, null],
    ['Python', python, 8, '4-10 load'],
    ['a method of Python', python, 15, '14-15 find'],
    ['braces on lines of their own', allman, 7, '5-8 Find'],
    ['tabs', go, 6, '3-9 Load'],
    ['what is beyond the end', go, 99, null],
  ])('%s', (_title, lines, at, span) => {
    const found = definitionAround(lines, at)
    expect(found === null ? null : `${found.from}-${found.to} ${found.name}`).toBe(span)
  })

  test('takes time that grows with the text and nothing else', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${' '.repeat(at % 40)}a${'<'.repeat(50)} b * c ? d ( {`)
    const cost = await costMs(() => {
      for (const at of [1, 10_000, 20_000]) definitionAround(lines, at)
      for (const line of lines) definedBy(line)
      definedBy(`${'a '.repeat(249)}(`)
    })
    expect(cost).toBeLessThan(2_000)
  })
})

test('words that say nothing are no names', () => {
  expect(namesIn('const user = await loadUser(this.id, true) // name')).toEqual(['user', 'loadUser'])
})
