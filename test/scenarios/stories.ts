// Three stories, told once, and kept as they are by a snapshot: what a gate is for.
import { aWorld } from '../world/world.ts'

const policy = { verification: { checks: ['test'] } }

export type Story = { readonly title: string; readonly tell: () => Promise<string> }

export const stories: readonly Story[] = [
  {
    title: 'An agent gets it right',
    tell: async () => {
      const world = await aWorld({ policy })
      world.verifierWillSay('PASS')
      await world.push('a1', { checks: { test: 'passed' } })
      return world.transcript()
    },
  },
  {
    title: 'A check fails, the agent reads why and tries again',
    tell: async () => {
      const world = await aWorld({ policy })
      world.verifierWillSay('PASS')
      await world.push('a1', { checks: { test: 'failed' } })
      await world.push('a2', { checks: { test: 'passed' } })
      return world.transcript()
    },
  },
  {
    title: 'The verifier objects, and a maintainer takes responsibility by name',
    tell: async () => {
      const world = await aWorld({ policy })
      world.verifierWillSay('SOFT_FAIL', 'the fix skips the test it was meant to repair')
      await world.push('a1', { checks: { test: 'passed' } })
      await world.comment('agent[bot]', '/override the verifier is mistaken')
      await world.comment('ada', '/override the skip is intended, see #12')
      return world.transcript()
    },
  },
]
