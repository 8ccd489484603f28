// Which names of the runner's environment a check sees: places of tools, and nothing that only begins like one.
import { expect, test } from 'vitest'
import { checkEnvironment } from '../../../src/checks/runner/environment.ts'

const sees = (name: string): boolean => name in checkEnvironment({ [name]: 'correct-horse-battery' })

test.each([
  'MYSQL_ROOT_PASS',
  'DB_ROOT_PWD',
  'VAULT_ROOT_KEY',
  'CLOUD_HOME_AUTH',
  'PG_ROOT_DSN',
  'CI_ROOT_PAT',
  'DB_ROOT_1_PASS',
  'MYSQL_ROOT_PASSWORD',
])('%s is no place of a tool', (name) => {
  expect(sees(name)).toBe(false)
})

test.each([
  'JAVA_HOME',
  'ANDROID_SDK_ROOT',
  'JAVA_HOME_8_X64',
  'JAVA_HOME_17_arm64',
  'BOOST_ROOT_1_72_0',
  'GO_ROOT_1_22_X64',
])('%s is one', (name) => {
  expect(sees(name)).toBe(true)
})
