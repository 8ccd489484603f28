// For processes that live for seconds: the embedded database is WebAssembly, and to optimise it takes longer than they live.
// Two thirds of the computing of a whole run of the tests went there.
import { setFlagsFromString } from 'node:v8'

for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
