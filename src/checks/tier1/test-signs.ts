// How tests look in the languages that we know: which files hold them, what leaves one out or runs it alone, and what
// asserts. Each language is one row; a line is judged without its comments' help, as far as one line can be.

type Signs = { readonly extensions: RegExp; readonly skip: RegExp | null; readonly focus: RegExp | null }

const inLanguages: readonly Signs[] = [
  {
    extensions: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    skip: /\b(?:it|test|describe|context|suite|specify|bench)(?:\.\w+){0,4}\.(?:skip|skipIf|todo|fixme|fails|failing)\b|\bx(?:it|test|describe|context|specify)\s*[.(]|\b(?:t|this)\.(?:skip|todo)\s*\(/,
    focus: /\b(?:it|test|describe|context|suite|specify|bench)(?:\.\w+){0,4}\.only\b|\bf(?:it|describe|context)\s*[.(]/,
  },
  {
    extensions: /\.pyi?$/,
    skip: /\bpytest\.mark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail)\s*\(|\bunittest\.(?:skip\w*|expectedFailure|SkipTest)\b|@(?:skip|skipIf|skipUnless|expectedFailure)\b|\.skipTest\s*\(/,
    focus: null,
  },
  { extensions: /\.go$/, skip: /\b[tb]\.Skip(?:f|Now)?\s*\(/, focus: null },
  { extensions: /\.rs$/, skip: /#!?\[(?:cfg_attr\(.{0,200}\b)?ignore\b/, focus: null },
  {
    extensions: /\.(?:java|kts?|groovy|scala)$/,
    skip: /@(?:Disabled|Ignore)\w*\b|\bassume(?:True|False)\s*\(/,
    focus: null,
  },
  {
    extensions: /\.(?:cs|fs|vb)$/,
    skip: /\[\s*(?:Ignore|Explicit)\b|\bSkip\s*=\s*["$@]|\bAssert\.Ignore\b/,
    focus: null,
  },
  {
    extensions: /\.rb$/,
    skip: /^\s*(?:x(?:it|describe|context|specify)|skip|pending)\b|\b(?:skip|pending):/,
    focus: /^\s*f(?:it|describe|context|specify)\b|\bfocus:\s*true\b|,\s*:focus\b/,
  },
  { extensions: /\.php$/, skip: /\bmarkTest(?:Skipped|Incomplete)\b|->(?:skip|todo)\s*\(/, focus: /->only\s*\(/ },
  { extensions: /\.swift$/, skip: /\bXCTSkip\w*\b|\.disabled\s*\(/, focus: null },
  { extensions: /\.exs?$/, skip: /@(?:module)?tag\s+:?skip\b/, focus: null },
  {
    extensions: /\.(?:c|cc|cpp|cxx|h|hpp|m|mm|dart)$/,
    skip: /\bGTEST_SKIP\b|\bDISABLED_\w|\bskip:\s*(?:true|['"])/,
    focus: null,
  },
]

const testFile =
  /(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress)\/|(?:^|\/)test_[^/]*\.py$|[._-](?:test|tests|spec|cy|e2e)\.[^/]+$|(?:^|\/)(?:conftest\.py|[^/]*(?:Test|Tests|Spec|IT)\.[a-zA-Z]+)$/
const fixture = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__mocks__)\//
const snapshot = /\.(?:snap|ambr)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|__screenshots__)\//

const signsOf = (path: string): Signs | undefined => inLanguages.find(({ extensions }) => extensions.test(path))

export const isSnapshot = (path: string): boolean => snapshot.test(path)

/** Source code in a place, or with a name, by which its tests are found. */
export function isTest(path: string): boolean {
  return testFile.test(path) && !fixture.test(path) && !isSnapshot(path) && signsOf(path) !== undefined
}

export function leavesOut(path: string, line: string): 'skip' | 'focus' | null {
  if (isComment(line)) return null
  const signs = signsOf(path)
  if (signs?.focus?.test(line) === true) return 'focus'
  return signs?.skip?.test(line) === true ? 'skip' : null
}

const assertion =
  /\bexpect\w*\s*[(.<]|\bassert\w*\s*[(.!]|^\s*assert\b|\bAssert\.|\b(?:EXPECT|ASSERT)_\w|\bXCTAssert|\bshould\.|\.should\b|\brequire\.[A-Z]|\b[tb]\.(?:Errorf?|Fatalf?|Fail(?:Now)?|is|not|deepEqual|equal|ok|same|throws)\b|\bverify\s*\(|\b(?:REQUIRE|CHECK)(?:_\w+)?\s*\(|\brefute\w*\b|\.(?:must|wont)_\w/
const importing = /^\s*(?:import|from|use|using|include)\b/

export function asserts(line: string): boolean {
  return assertion.test(line) && !importing.test(line) && !isComment(line)
}

/** `#[ignore]` is no comment. */
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*|#(?!!?\[)|--|<!--)/.test(line)
