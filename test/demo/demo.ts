// `npm run demo`: tells the three stories as the pull request page would show them. No credentials, no network.
import { stories } from './stories.ts'

for (const [index, { title, tell }] of stories.entries()) {
  console.log(`\n${index + 1}. ${title}\n${'─'.repeat(title.length + 3)}`)
  console.log(await tell())
}
console.log(`
These were the real rules, the real engine and an in-memory GitHub.
Next: write .github/countersign.yml, then \`npm run countersign -- validate\` and \`npm run countersign -- test\`.`)
