#!/usr/bin/env node
// What is run as `countersign`: says so where Node is too old, before anything is loaded that an old one cannot even read.
// That takes a file without types, which nothing has to strip, in words that every Node of the last years knows.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isOld = major < 24 || (major === 24 && minor < 12)
if (isOld) {
  console.error(
    `countersign: this is Node ${process.versions.node}, and it takes Node 24.12 or later. ` +
      'Install it from https://nodejs.org, or run: npx -p node@24 -p countersign countersign',
  )
  process.exitCode = 2
} else {
  await import('./main.ts')
}
