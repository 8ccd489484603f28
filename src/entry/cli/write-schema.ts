// `npm run schema`: writes what is made from the schemas of the policy and of the document of an attempt: JSON Schemas next
// to the code, and the page of the policy for people.
import { writeFile } from 'node:fs/promises'
import { policySchemaText } from '../../core/contract/policy/json-schema.ts'
import { attemptSchemaText } from '../../core/words/documents/attempt-schema.ts'
import { policyReference } from '../../core/contract/policy/policy-reference.ts'

const root = new URL('../../../', import.meta.url)
await writeFile(new URL('src/core/contract/countersign.schema.json', root), policySchemaText())
await writeFile(new URL('src/core/contract/attempt.schema.json', root), attemptSchemaText())
await writeFile(new URL('docs/policy-reference.md', root), policyReference())
