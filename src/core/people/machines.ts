// Machine accounts as GitHub names them: one account may have several spellings, and a bot loses its suffix in some places.
// https://docs.github.com/en/copilot/concepts/agents/coding-agent/about-coding-agent
import { sameLogin, type Maker } from './people.ts'

/** GitHub's coding agent: over REST, over GraphQL, and in the trailers that it writes. The first spelling is ours. */
const codingAgent = ['copilot-swe-agent[bot]', 'copilot-swe-agent', 'Copilot', 'Copilot[bot]', 'app/copilot-swe-agent']

const isCodingAgent = (login: string): boolean => codingAgent.some((one) => sameLogin(one, login))

export const isMachineName = (login: string): boolean => /\[bot\]$/i.test(login) || isCodingAgent(login)

/** Whatever it is called, it is one account and a machine. */
export function oneSpelling(maker: Maker): Maker {
  if (isCodingAgent(maker.login)) return { ...maker, login: codingAgent[0] ?? maker.login, kind: 'bot' }
  return isMachineName(maker.login) ? { ...maker, kind: 'bot' } : maker
}
