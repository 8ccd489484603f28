// What counts as a command in a comment, and what stays silent.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REASON_LENGTH_MAX } from '../../src/core/people/command-grammar.ts'
import { commandHelp, type Command } from '../../src/core/people/command.ts'
import { COMMANDS_MAX, readCommands } from '../../src/core/people/read-commands.ts'
import { heard, override } from './as-heard.ts'

const onlyCommand = (body: string): Command | undefined => {
  const [first, ...more] = readCommands(body, 'comment')
  expect(more).toEqual([])
  return first?.kind === 'command' ? first.command : undefined
}

describe('the grammar', () => {
  test.each<[string, Command]>([
    ['/override flaky, see #12', override({ reason: 'flaky, see #12' })],
    ['/override', override()],
    ['/OverRide because', override({ reason: 'because' })],
    ['/countersign override because', override({ reason: 'because' })],
    ['/Countersign /override because', override({ reason: 'because' })],
    ['/override\u00a0because', override({ reason: 'because' })],
    ['/override --check test flaky', override({ checks: ['test'], reason: 'flaky' })],
    ['/override --check=test flaky', override({ checks: ['test'], reason: 'flaky' })],
    ['/override --check "unit tests" flaky', override({ checks: ['unit tests'], reason: 'flaky' })],
    ['/override --check=“unit tests” flaky', override({ checks: ['unit tests'], reason: 'flaky' })],
    ["/override --check 'unit tests'", override({ checks: ['unit tests'] })],
    [String.raw`/override --check "say \"hi\"" x`, override({ checks: ['say "hi"'], reason: 'x' })],
    [String.raw`/override --check 'say \"hi\"' x`, override({ checks: [String.raw`say \"hi\"`], reason: 'x' })],
    [String.raw`/override --check say\"hi x`, override({ checks: [String.raw`say\"hi`], reason: 'x' })],
    ['/override --check a --check b --check a why', override({ checks: ['a', 'b'], reason: 'why' })],
    ['/override --verifier wrong file', override({ verifier: true, reason: 'wrong file' })],
    ['/override —verifier —check test why', override({ verifier: true, checks: ['test'], reason: 'why' })],
    ['/override –verifier why', override({ verifier: true, reason: 'why' })],
    ['/override — skip is intended', override({ reason: 'skip is intended' })],
    ['/override -- --check is not a flag here', override({ reason: '--check is not a flag here' })],
    ['/override -- prettier --check is broken', override({ reason: 'prettier --check is broken' })],
    ['/override --sha ABCDEF1 why', override({ sha: 'abcdef1', reason: 'why' })],
    [
      '/approve --sha 0123456789abcdef0123456789abcdef01234567 ok',
      { name: 'approve', reason: 'ok', sha: '0123456789abcdef0123456789abcdef01234567' },
    ],
    ['/reject no tests', { name: 'reject', reason: 'no tests', sha: null }],
    ['/ack agreed with ops', { name: 'ack', reason: 'agreed with ops', sha: null }],
    ['/retry runner was down', { name: 'retry', reason: 'runner was down', sha: null }],
    ['/reason --sha stays text here', { name: 'reason', reason: '--sha stays text here' }],
    ['/reason', { name: 'reason', reason: '' }],
    ['/revoke', { name: 'revoke' }],
    ['/status please', { name: 'status' }],
    ['/countersign verify', { name: 'verify' }],
    ['/countersign', { name: 'help' }],
    ['/task assign @ada', { name: 'task', verb: 'assign', text: '@ada' }],
    ['/task SUBMIT', { name: 'task', verb: 'submit', text: '' }],
    ['/goal link #1 #2', { name: 'goal', verb: 'link', text: '#1 #2', items: [] }],
    [
      '/goal reject it is slow\n- [ ] Cache it\n- Measure',
      { name: 'goal', verb: 'reject', text: 'it is slow', items: ['Cache it', 'Measure'] },
    ],
    ['/request approve as agreed', { name: 'request', verb: 'approve', text: 'as agreed' }],
  ])('%s', (body, command) => expect(onlyCommand(body)).toEqual(command))

  test.each([
    ['/override --chek test x', '! override unknown_flag'],
    ['/override --verifier=yes x', '! override unknown_flag'],
    ['/override --che\u200bck test x', '! override unknown_flag'],
    ['/approve --check test x', '! approve unknown_flag'],
    ['/override flaky --check test', '! override misplaced_flag'],
    ['/override --check', '! override missing_value'],
    ['/override --check --verifier x', '! override missing_value'],
    ['/override --check "unit tests x', '! override missing_value'],
    ['/override --check "" x', '! override missing_value'],
    ['/override --=test x', '! override unknown_flag'],
    ['/override --sha HEAD x', '! override bad_sha'],
    ['/override --sha abcdef x', '! override bad_sha'],
    [`/override --sha ${'a'.repeat(41)} x`, '! override bad_sha'],
    ['/override --sha abcdef1 --sha abcdef2 x', '! override repeated_flag'],
    ['/task', '! task bad_verb'],
    ['/goal finish it', '! goal bad_verb'],
  ])('%s is refused, not guessed', (body, answer) => expect(heard(body)).toEqual([answer]))

  test('what is incomplete comes with the usage and the line', () => {
    expect(readCommands('  /goal finish it\u202e', 'comment')).toEqual([
      {
        kind: 'incomplete',
        name: 'goal',
        why: 'bad_verb',
        usage: commandHelp.goal.usage,
        text: '/goal finish it\ufffd',
      },
    ])
  })

  test('a reason has at most 2,000 characters after trimming', () => {
    const longest = 'x'.repeat(REASON_LENGTH_MAX)
    expect(onlyCommand(`/reject   ${longest}   `)).toMatchObject({ reason: longest })
    expect(heard(`/reject ${longest}x`)).toEqual(['! reject reason_too_long'])
    expect(heard(`/task submit ${longest}x`)).toEqual(['! task reason_too_long'])
  })

  test('a reason runs over the lines of its paragraph up to the next command', () => {
    const body = 'Hello.\n/override it is\n  flaky, see\n/usr/bin/env\n/reject and\nbad\n\nNot this.'
    expect(heard(body)).toEqual(['/override it is flaky, see /usr/bin/env', '/reject and bad'])
  })

  test('hidden characters in a reason become visible', () => {
    expect(onlyCommand('/reject a\u202eb\u200bc\u0000d\u{e0041}')).toMatchObject({
      reason: 'a\ufffdb\ufffdc\ufffdd\ufffd',
    })
  })

  test.each([
    ['/overide x', ['? overide -> override']],
    ['/overirde x', ['? overirde -> override']],
    ['/override: x', ['? override: -> override']],
    ['/over\u200bride x', ['? over\ufffdride -> override']],
    ['/override\ufeff x', ['? override\ufffd -> override']],
    ['/оverride x', ['? оverride -> override']],
    ['/countersgin override', ['? countersgin -> countersign']],
    ['/countersign deploy', ['? deploy -> null']],
    ['/countersign statsu', ['? statsu -> status']],
    ['/deploy production', []],
    ['/assign @ada', []],
    ['/usr/bin/override', []],
    ['/log/', []],
    ['/', []],
    ['/ override x', []],
    ['override x', []],
    ['please /override x', []],
    ['//override x', []],
  ])('of %j it hears %j', (body, answers) => expect(heard(body)).toEqual(answers))

  test(`of many commands the first ${COMMANDS_MAX} are read, and the next one is said to be unread`, () => {
    const first = Array.from({ length: COMMANDS_MAX }, () => '/status')
    expect(heard('/status\n'.repeat(50))).toEqual([...first, 'unreadable /status'])
  })
})

describe('where a command may stand', () => {
  test.each([
    ['the first line', '/status'],
    ['a later line of a paragraph', 'Thank you.\n/status'],
    ['after a hard break', 'Thank you.  \n/status'],
    ['a new paragraph with Windows line ends', 'Thank you.\r\n\r\n/status\r\n'],
    ['three spaces', '   /status'],
    ['a deeply indented second line', 'Thank you.\n        /status'],
    ['between other blocks', '# Hi\n/status\n- item'],
    ['after a quote and a blank line', '> quoted\n\n/status'],
    ['after a closed fence', '```\ncode\n```\n/status'],
    ['after a closed comment', '<!-- a\n\nb -->\n\n/status'],
    ['after closed details', '<details>\n\n/reject\n\n</details>\n\n/status'],
    ['after a tag that is only code', 'use `<details>` here\n\n/status'],
    ['inside a div', '<div>\n\n/status\n\n</div>'],
    ['after a comment that names a tag', '<!-- <details> -->\n\n/status'],
    ['after words that only sound like a mail', 'On Monday Ada wrote:\n\n/status'],
    ['below a line that was quoted', 'On line 12 you wrote:\n\n> it never fails\n\nIt does.\n\n/status'],
    ['below a mail that was quoted in pieces', 'On 3 Feb 2025 Ada wrote:\n> one\n\nNo.\n\n> two\n\n/status'],
    ['after a table', 'a | b\n--|--\n1 | 2\n\n/status'],
    ['after a code span of one line', '`a`\n/status'],
    ['after a divider of many dashes', `${'- '.repeat(60)}\n/status`],
    ['after a mail quoted a hundred deep', `${'>'.repeat(100)} hi\n\n/status`],
  ])('%s', (_where, body) => expect(heard(body)).toEqual(['/status']))

  test.each([
    ['a block quote', '> /override x'],
    ['the lazy line of a block quote', '> quoted\n/override x'],
    ['the lazy line of a quoted list', '> - quoted\n/override x'],
    ['a quote that hangs in a paragraph', 'text\n    > /override x'],
    ['a list', '- /override x'],
    ['the second line of a list item', '- item\n/override x'],
    ['a numbered list', '1. /override x'],
    ['a task list', '- [ ] /override x'],
    ['a code span', '`/override x`'],
    ['a code span over lines', 'see `a\n/override x\nb`'],
    ['a fence', '```\n/override x\n```'],
    ['an unclosed fence', '~~~\n\n/override x'],
    ['an indented block', '    /override x'],
    ['a tab', '\t/override x'],
    ['an HTML comment', '<!--\n/override x\n-->'],
    ['an HTML comment with blank lines', '<!--\n\n/override x\n\n-->'],
    ['an HTML comment in a paragraph', 'text <!--\n/override x\n-->'],
    ['an attribute', 'text <a title="\n/override x\n">'],
    ['an HTML block', '<div>\n/override x\n</div>'],
    ['details', '<details><summary>Log</summary>\n\n/override x\n\n</details>'],
    ['an HTML quote', '<blockquote>\n\n/override x\n\n</blockquote>'],
    ['an HTML quote opened in a paragraph', 'text <blockquote>\n\n/override x'],
    ['an HTML quote in another one', '<blockquote>\n\n<del>a</del>\n\n/override x\n\n</blockquote>'],
    ['struck out text', '<del>\n\n/override x\n\n</del>'],
    ['a heading', '# /override x'],
    ['an underlined heading', '/override x\n==='],
    ['the text of a link', '[see\n/override x\n](https://example.org)'],
    ['the text of a reference', '[see\n/override x\n]\n\n[see /override x]: https://example.org'],
    ['an image', '![see\n/override x\n](https://example.org)'],
    ['the target of a reference', '[a]:\n/override\n"x"'],
    ['a table row', 'a | b\n--|--\n/override x | c'],
    ['a table of one column', '| a |\n|---|\n/override x'],
    ['the head of a table', '/override x | y\n:-|-:'],
    ['a footnote', '[^1]: a note\n/override x'],
    ['a footnote of one word', '[^1]: note\n/override x'],
    ['an escaped slash', '\\/override x'],
    ['a character reference', '&#47;override x'],
    ['emphasis', '**/override x**'],
    ['a mention', '@ada /override x'],
    ['an English mail', 'Thanks\n\nOn Mon, Feb 3, 2025 at 10:00 Ada <a@b.org> wrote:\n\n/override x'],
    [
      'a mail whose header is wrapped',
      'On Mon, Feb 3, 2025 at 10:00 Ada Lovelace <\nnotifications@github.com> wrote:\n/override x',
    ],
    ['a German mail', 'Am 3.2.2025 um 10:00 schrieb Ada <a@b.org>:\n\n/override x'],
    ['a French mail', 'Le 3 févr. 2025, Ada a écrit :\n\n/override x'],
    ['a mail below one that was quoted', 'On 3 Feb 2025 Ada wrote:\n> one\n\nOn 2 Feb 2025 Bob wrote:\n\n/override x'],
    ['a mail that goes on behind its introduction', 'On 3 Feb 2025 Ada wrote:\n/override x\n> one\n\n/override y'],
    ['a quoted mail', 'On 3 Feb 2025 Ada wrote:\n\n> /override x'],
    ['an original message with a quote', '-----Original Message-----\n\n> one\n\n/override x'],
    ['an original message', 'Thanks\n\n-----Original Message-----\n\n/override x'],
    ['a mail with a block of headers', 'Thanks\n\n**From:** Ada\n**Sent:** Monday\n**To:** Bob\n\n/override x'],
  ])('never in %s', (_where, body) => expect(heard(body)).toEqual([]))

  test('a reason ends where the quoted mail begins', () => {
    expect(heard('/reject no\nOn 3 Feb 2025 Ada wrote:\n> /override x')).toEqual(['/reject no'])
    expect(heard('/reject no\nOn 3 Feb 2025 Ada wrote:\n> /override x\n\n/status')).toEqual(['/reject no', '/status'])
  })

  const line = fc.constantFrom('/override x', '/approve y', 'text', '', '  /reject z', '> a', '- b', '`', '~~~', '<p>')
  const lines = fc.array(line, { maxLength: 8 })
  test('nothing inside a quote, a fence or an HTML comment is ever a command', () => {
    const wrapped = fc.oneof(
      lines.map((inner) => inner.map((text) => `> ${text}`).join('\n')),
      lines.map((inner) => `\`\`\`\`\n${inner.join('\n')}\n\`\`\`\``),
      lines.map((inner) => `<!--\n${inner.join('\n')}\n-->`),
    )
    fc.assert(
      fc.property(fc.array(wrapped, { minLength: 1, maxLength: 4 }), (blocks) => {
        expect(heard(blocks.join('\n\n'))).toEqual([])
        expect(heard([...blocks, '/status'].join('\n\n'))).toEqual(['/status'])
      }),
    )
  })
})
