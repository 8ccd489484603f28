// `countersign schema`: JSON Schemas, of the policy for editors that complete and check the file, and of the document of an
// attempt for whoever reads it.
import { policySchemaText } from '../../core/contract/policy/json-schema.ts'
import { visible } from '../../core/visible.ts'
import { attemptSchemaText } from '../../core/words/documents/attempt-schema.ts'
import type { CliCommand } from './common/cli-command.ts'

export const schema: CliCommand = {
  name: 'schema',
  summary: 'print the JSON Schema of the policy file, or of what agents read',
  help: `countersign schema [policy|attempt]

policy    .github/countersign.yml. Save it and let your editor use it, for example with a first line
            # yaml-language-server: $schema=./countersign.schema.json
attempt   the document of an attempt, countersign/attempt@1, as agents read it

Without a word it is that of the policy.`,
  run: async (args, io) => {
    const [which = 'policy', ...more] = args
    const text = more.length > 0 ? undefined : schemas[which]
    if (text === undefined) {
      io.err(
        `countersign schema: say \`policy\` or \`attempt\`, not ${args.map((arg) => `\`${visible(arg)}\``).join(', ')}.`,
      )
      return 2
    }
    io.out(text().trimEnd())
    return 0
  },
}

const schemas: Readonly<Record<string, () => string>> = { policy: policySchemaText, attempt: attemptSchemaText }
