// What a task's blocks and its text add to the contract, and how the contract is frozen and hashed.
import { describe, expect, test } from 'vitest'
import { defaultCriterion, makeContract, type BlockInput } from '../../src/core/contract/task/make-contract.ts'
import { policySchema } from '../../src/core/contract/policy/policy.ts'
import { contractOf } from './contract-of.ts'

describe('what else a block adds', () => {
  test('expected outputs and file types join those of the policy', () => {
    const policy = { verification: { tier1: { expected_outputs: ['a'], expected_file_types: ['.md'] } } }
    const block =
      'expected_outputs: [b, a]\nexpected_file_types: [.ts]\nverification: { tier1: { expected_outputs: [c] } }'
    const { contract, keys } = contractOf({ policy, block })
    expect([contract.expected_outputs, contract.expected_file_types, keys]).toEqual([
      ['a', 'b', 'c'],
      ['.md', '.ts'],
      [],
    ])
    expect(contract.policy.verification.tier1.expected_outputs).toEqual(['a', 'b', 'c'])
  })

  test('scope narrows beside the policy, whose own scope stays', () => {
    const other: BlockInput = {
      text: 'scope: { write: [docs, src], deny: [x] }',
      source: 'other_issue',
      edited_by: 'other',
    }
    const own = { policy: { scope: { write: ['src'] } }, block: 'scope: { write: [src, test], deny: [y] }' }
    expect(contractOf(own)).toMatchObject({
      contract: {
        task_scope: { write: ['src', 'test'], deny: ['y'] },
        policy: { scope: { write: ['src'], deny: [] } },
      },
      keys: [],
    })
    expect(contractOf(own, [other])).toMatchObject({
      contract: { task_scope: { write: ['src'], deny: ['y', 'x'] } },
      keys: ['scope.write'],
    })
    expect(contractOf({ block: 'scope: { deny: [y] }' }).contract.task_scope).toEqual({ write: null, deny: ['y'] })
  })

  test('dependencies are named in full', () => {
    expect(contractOf({ block: 'depends_on: [12, "#13", other/repo#1]' }).contract.depends_on).toEqual([
      'acme/shop#12',
      'acme/shop#13',
      'other/repo#1',
    ])
  })

  test('a brief and what the pictures must show', () => {
    const red = '{ kind: dominant_colour, description: red, expected_rgb: [255, 0, 0], tolerance: 60 }'
    const { contract } = contractOf({ block: `brief: A red page\nexpectations: [${red}]` })
    expect(contract).toMatchObject({
      brief: 'A red page',
      expectations: [{ expected_rgb: [255, 0, 0], severity: 'HIGH' }],
    })
  })
})

describe('acceptance criteria', () => {
  const policy = policySchema.parse({ verification: { verifier: { criteria: '- from the policy' } } })
  const body = '## Acceptance criteria\n- from the text\n- from the policy'
  const text = 'acceptance_criteria: [from the block]\nverification: { verifier: { criteria: "- from its verifier" } }'
  const blocks: BlockInput[] = [{ text, source: 'issue', edited_by: 'builder' }]

  test('come from the policy, the blocks and the text, in this order, each once', () => {
    const reading = makeContract({ task_id: 'a/b#1', title: 'T', body, policy, blocks })
    const criteria = ['from the policy', 'from its verifier', 'from the block', 'from the text']
    expect(reading).toMatchObject({
      contract: { description: `T\n\n${body}`, acceptance_criteria: criteria },
      warnings: [],
    })
  })

  test('a description alone stands for one', () => {
    expect(contractOf({}).contract.acceptance_criteria).toEqual([defaultCriterion])
    const blank = makeContract({ task_id: 'a/b#1', title: ' ', body: '', policy: policySchema.parse({}), blocks: [] })
    expect(blank).toMatchObject({ contract: { description: '', acceptance_criteria: [] } })
  })
})

describe('a contract that cannot be read', () => {
  const read = (text: string, body = '', file?: string) =>
    makeContract({
      task_id: 'a/b#1',
      title: 'T',
      body,
      policy: policySchema.parse({}),
      blocks: [{ text, source: 'issue', edited_by: 'other', ...(file === undefined ? {} : { file }) }],
    })
  test.each([
    ['stakes: hihg', 1, 'stakes', 'high'],
    ['# note\nscop: {}', 2, 'scop', 'scope'],
    ['task:\n  checks:\n    - comand: a', 3, 'task.checks[0].comand', 'command'],
    ['verification: { checks: [{ name: unheard_of }] }', 1, 'verification.checks[0]', null],
    ['verification: { retry: { max_retries: 1 } }', 1, 'verification.retry.max_retries', 'retry.max_attempts'],
    ['depends_on: [twelve]', 1, 'depends_on[0]', null],
    ['override_policy: { direct_approval_allowed: true }', 1, 'override_policy', null],
    ['vision_verify: true', 1, 'vision_verify', null],
    [`a: ${'x'.repeat(70_000)}`, 1, '', null],
  ])('%.40s', (text, line, key, nearest) => {
    expect(read(text)).toMatchObject({ unreadable: [{ file: 'the issue', line, key, nearest }] })
    expect(read(text, '', 'a/b#1')).toMatchObject({ unreadable: [{ file: 'a/b#1' }] })
  })

  test('more checks than a policy can have, and more criteria than anybody can judge', () => {
    const many = JSON.stringify({ verification: { checks: Array.from({ length: 200 }, (_, index) => `c${index}`) } })
    const policy = policySchema.parse({ verification: { checks: ['test'] } })
    const blocks: BlockInput[] = [{ text: many, source: 'issue', edited_by: 'builder' }]
    const reading = makeContract({ task_id: 'a/b#1', title: 'T', body: '', policy, blocks })
    expect(reading).toMatchObject({ unreadable: [{ message: expect.stringContaining('limit') }] })
    const body = `# Acceptance criteria\n${Array.from({ length: 201 }, (_, index) => `- ${index}\n`).join('')}`
    expect(read('', body)).toMatchObject({
      unreadable: [{ message: expect.stringContaining('201 acceptance criteria') }],
    })
  })
})

describe('a contract is frozen and hashed', () => {
  test('nothing in it changes, and the policy that was given is left alone', () => {
    const policy = policySchema.parse({ verification: { checks: ['a'] } })
    const reading = makeContract({ task_id: 'a/b#1', title: 'T', body: '', policy, blocks: [] })
    if ('unreadable' in reading) throw new Error('unreadable')
    expect(Object.isFrozen(reading.contract.policy.verification.checks[0])).toBe(true)
    expect(Object.isFrozen(policy.verification)).toBe(false)
  })

  test('the order of keys does not matter, every content does', () => {
    const hash = (block: string) => contractOf({ block }).contract.contract_hash
    expect(hash('stakes: high\nscope: { deny: [a], write: [b] }')).toBe(
      hash('scope: { write: [b], deny: [a] }\nstakes: high'),
    )
    const hashes = [
      '',
      'stakes: high',
      'scope: { deny: [a] }',
      'acceptance_criteria: [a]',
      'verification: { wait: 1 }',
      'brief: a',
    ].map(hash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hash('')).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the hash of the policy is that of the policy before the task tightened it', () => {
    const [plain, tightened] = [contractOf({}), contractOf({ block: 'verification: { wait: 1 }' })]
    expect(tightened.contract.policy_hash).toBe(plain.contract.policy_hash)
    const given = makeContract({
      task_id: 'a/b#1',
      title: '',
      body: '',
      policy: policySchema.parse({}),
      policy_hash: 'abc',
      blocks: [],
    })
    expect(given).toMatchObject({ contract: { policy_hash: 'abc' } })
  })
})
