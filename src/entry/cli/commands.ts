// The table of subcommands, in the order in which they are told. Help, completion and the tests of the documents read it.
import type { CliCommand } from './common/cli-command.ts'

/** Loaded only when asked for, so that each command starts as fast as it can. */
export const commands: Record<string, { readonly summary: string; readonly load: () => Promise<CliCommand> }> = {
  init: {
    summary: 'write a policy and its workflow for this repository',
    load: async () => (await import('./init.ts')).init,
  },
  start: {
    summary: 'run the App, or register it where it has no credentials yet',
    load: async () => (await import('./start.ts')).start,
  },
  status: {
    summary: 'whether the App runs on its store, and what waits there',
    load: async () => (await import('./status.ts')).status,
  },
  explain: {
    summary: 'what was decided about a pull request, and why; --json for agents',
    load: async () => (await import('./explain.ts')).explain,
  },
  wait: {
    summary: 'wait for the decision about a pull request',
    load: async () => (await import('./wait.ts')).wait,
  },
  mcp: {
    summary: 'serve tools for coding agents over standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  doctor: {
    summary: 'look at everything that the gate rests on, and say what mends it',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  test: {
    summary: 'run policy tests: does the policy decide as you expect?',
    load: async () => (await import('./test.ts')).test,
  },
  simulate: {
    summary: 'what a policy would have decided over the pull requests of the past',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  validate: {
    summary: 'check a policy file, with file, line and the nearest valid word',
    load: async () => (await import('./validate.ts')).validate,
  },
  verify: {
    summary: 'scope, built-in checks and the commands of the policy, before you push',
    load: async () => (await import('./verify.ts')).verify,
  },
  tier1: {
    summary: 'run the built-in checks on what you have committed, before you push',
    load: async () => (await import('./tier1.ts')).builtIn,
  },
  workflow: {
    summary: 'print the workflow that runs the checks of the policy',
    load: async () => (await import('./workflow.ts')).workflow,
  },
  schema: {
    summary: 'print the JSON Schema of the policy file, or of what agents read',
    load: async () => (await import('./schema.ts')).schema,
  },
  eval: {
    summary: 'measure the verifier on changes whose label is known',
    load: async () => (await import('./eval.ts')).evaluate,
  },
  inbox: {
    summary: 'list and replay the deliveries that the App gave up',
    load: async () => (await import('./inbox.ts')).inbox,
  },
  audit: {
    summary: 'verify the record of all decisions, link by link',
    load: async () => (await import('./audit.ts')).audit,
  },
  completion: {
    summary: 'print a script by which your shell completes all this',
    load: async () => (await import('./completion.ts')).completion,
  },
}
