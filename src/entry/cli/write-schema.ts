// `npm run schema`: writes the JSON Schema of the policy next to the code that it is generated from.
import { writeFile } from 'node:fs/promises'
import { policySchemaText } from '../../core/contract/json-schema.ts'

const file = new URL('../../core/contract/countersign.schema.json', import.meta.url)
await writeFile(file, policySchemaText())
