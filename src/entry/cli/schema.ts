// `countersign schema`: the JSON Schema of the policy, for editors that complete and check the file.
import { policyJsonSchema } from '../../core/contract/json-schema.ts'
import { visible } from '../../core/visible.ts'
import type { CliCommand } from './cli-command.ts'

export const schema: CliCommand = {
  name: 'schema',
  summary: 'print the JSON Schema of the policy file',
  help: `countersign schema

Prints the JSON Schema of .github/countersign.yml. Save it and let your editor use it, for example with a first line
  # yaml-language-server: $schema=./countersign.schema.json`,
  run: async (args, io) => {
    if (args.length > 0) {
      io.err(
        `countersign schema: it takes no arguments, and was given ${args.map((arg) => `\`${visible(arg)}\``).join(', ')}.`,
      )
      return 2
    }
    io.out(JSON.stringify(policyJsonSchema(), null, 2))
    return 0
  },
}
