// `npm run schema`: writes what is made from the schema of the policy: the JSON Schema next to the code, and the page for people.
import { writeFile } from 'node:fs/promises'
import { policySchemaText } from '../../core/contract/json-schema.ts'
import { policyReference } from '../../core/contract/policy-reference.ts'

const root = new URL('../../../', import.meta.url)
await writeFile(new URL('src/core/contract/countersign.schema.json', root), policySchemaText())
await writeFile(new URL('docs/policy-reference.md', root), policyReference())
