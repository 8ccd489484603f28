// What `countersign eval --help` says.
import { recordedNonce } from '../../../engine/verify/eval-set.ts'

type Facts = { readonly cases: number; readonly languages: number; readonly repeatsMax: number; readonly model: string }

export const evalHelp = ({
  cases,
  languages,
  repeatsMax,
  model,
}: Facts): string => `countersign eval [set] [--recorded | --double NAME] [--repeats N] [--model ID [--price IN/OUT]] [--ablate WHAT]
                 [--json | --markdown]
countersign eval --compare ONE.json OTHER.json
countersign eval build mutants|security [--mirror URL] [--cache FOLDER] [--pins FILE]
countersign eval build reviews --from FILE --clones FOLDER [--cache FOLDER]

Judges changes of which it is known whether they should pass, with the verifier as it is, and prints what it let through,
what it stopped for nothing, what it found, how often it was sure and right, and what that cost, as the gate would have
decided. Without a set it judges the one that comes along, ${cases} cases in ${languages} languages.

  --recorded     judge the answers in the set: offline, without a key, the same every time. It shows what the rules make
                 of answers and says nothing about a model; of the set that comes along, the 15 cases that have answers
  --double NAME  ask no model but a stand-in without judgement, offline: \`obedient\` does what a change tells it to,
                 \`lazy\` says yes to everything, \`random\` throws dice. What they get passed a bad model would, too
  --ablate WHAT  judge without the code around the change (\`context\`), without first readings (\`finders\`) or without
                 votes (\`votes\`), to see what these are worth
  --compare      two files that --json wrote, side by side; asks nobody
  --repeats N    judge each case N times, at most ${repeatsMax}, to see how often it ends differently (the flip rate); the
                 other figures count each time as a case
  --model ID     ask this model instead of ${model}
  --price IN/OUT what it costs, in dollars per million tokens read and written, such as 3/15, where that is not known
  --json         print { recorded, double, ablate, model, repeats, rows, scores } for programs
  --markdown     print a report for a page
  --help         this text

\`build\` makes a large set on this machine from what others published, pinned by name, version and hash, in a cache folder.
  mutants        packages of npm with their own tests: mutants that the tests kill are to be rejected, rewrites that cannot
                 change anything are to be accepted. It fetches with npm and runs these tests, without leave to write, to
                 start a process or to read beyond their folder; they can reach the network. It takes minutes
  security       source packages of Debian: a security fix is to be accepted, its reversal among other patches is not
  reviews        reviewed pull requests from a file of alibaba/aacr-bench that you have downloaded: those in which somebody
                 named a defect. It holds no code: --clones is the folder of your clones, such as FOLDER/owner/name
  --mirror URL   where source packages are: a mirror of Debian, as in the sources of apt. What is built needs none
  --cache FOLDER instead of ~/.cache/countersign/eval. What is done is kept there: run it again to go on
  --pins FILE    a list of packages of your own, in JSON; docs/measuring.md shows one
Exit code 1 says that a package was left out, 2 that there is no set.

Without --recorded or --double a model is asked, which costs money. ANTHROPIC_API_KEY is the key, MODEL_BASE_URL where the API is
served if not at its home, both in the environment or in .env. Progress goes to standard error.

A set is a file in YAML or JSON:

  cases:
    - name: pages keep their last item
      label: accept                # accept, reject, or human: a person should be asked
      issue: |
        ## Acceptance criteria
        - The last page holds what is left.
      files:
        - path: src/pages.ts
          patch: |
            @@ -1,2 +1,2 @@
             export const pages = (items, size) =>
            -  Math.floor(items / size)
            +  Math.ceil(items / size)

A case may also have
  stakes      low, medium (the default), high, critical; the last two are judged in tier 3
  scope       paths that the task may touch, such as [src/**]; a change elsewhere is stopped before the verifier
  checks      what ran: { test: { passed: true, output: 14 tests passed } }
  kind        good, subtly_wrong, security, contract, incomplete, tampered_tests, injected, empty or out_of_scope, and
  need        hunk, file or repository, how far one has to look: figures are told for each apart
  defect      where it is wrong, { path: src/pages.ts, line: 2 }, in the new file: then it is told whether that was found
  repository  the files with the change made, by path, so that there is code around the change
  answers     for --recorded: what a model answers, call by call, with the nonce \`${recordedNonce}\`; the last one stands for
              all that follow
and a file \`status: added\`, \`removed\` or \`renamed\`. A change without files is empty, and stopped as such.

Exit code 0: every case was judged, well or badly. 1: the model did not answer for at least one, and the figures are
without it. 2: the command could not run.`
