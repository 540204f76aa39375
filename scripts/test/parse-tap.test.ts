import t from 'tap'
import { parseTap } from './parse-tap.mjs'

async function read(text: string) {
  const printed: string[] = []
  const lines = (async function* () {
    yield* text.split('\n')
  })()
  return { counts: await parseTap(lines, line => printed.push(line)), printed: printed.join('\n') }
}

const output = `TAP version 14
1..3
# Subtest: a.test.ts
    # Subtest: around
        # Subtest: within
            ok 1 - should be equal
            1..1
        ok 1 - within # time=2.1ms
        
        # Subtest: wrong
            not ok 1 - should be 2
              ---
              diff: |
                -1
              ...
            
            1..1
        not ok 2 - wrong # time=3ms
          ---
          at: nowhere
          ...
        
        1..2
    not ok 1 - around # time=6ms
      ---
      at: nowhere
      ...
    
    ok 2 - later # SKIP no sandbox
    1..2
not ok 1 - a.test.ts # time=7ms
  ---
  command: node
  ...

# Subtest: b.test.ts
    # Subtest: fine
        ok 1 - should be equal
        1..1
    ok 1 - fine # time=1ms
    
    1..1
ok 2 - b.test.ts # time=2ms

# Subtest: c.test.ts
    1..0 # no tests found
not ok 3 - c.test.ts # time=2ms
  ---
  exitCode: 1
  ...

# No coverage generated`

t.test('counts the innermost tests, and files that failed outside any test', async t => {
  const { counts } = await read(output)
  t.same(counts, { passed: 2, failed: 2, skipped: 1 })
})

t.test('prints the details of failures, and one line for every other file', async t => {
  const { printed } = await read(output)
  t.match(printed, '✖ a.test.ts › around › wrong › should be 2\n')
  t.match(printed, 'diff: |')
  t.notMatch(printed, 'at: nowhere')
  t.notMatch(printed, 'command: node')
  t.match(printed, '- a.test.ts › later # SKIP no sandbox')
  t.match(printed, '✔ b.test.ts')
  t.match(printed, /✖ c\.test\.ts\n.*\n.*exitCode: 1/)
})

t.test('counts a test that fails even though its subtests passed', async t => {
  const { counts } = await read(
    [
      '# Subtest: a.test.ts',
      '    # Subtest: fine',
      '        ok 1 - yes',
      '    ok 1 - fine',
      'not ok 1 - a.test.ts',
      '  ---',
      '  timeout: 30000',
      '  ...',
    ].join('\n'),
  )
  t.same(counts, { passed: 1, failed: 1, skipped: 0 })
})

t.test('a test that times out ends when its file ends, and only the file counts as failed', async t => {
  const { counts, printed } = await read(
    [
      '# Subtest: a.test.ts',
      '    # Subtest: endless',
      '        not ok 1 - timeout!',
      'not ok 1 - a.test.ts',
      '# Subtest: b.test.ts',
      '    # Subtest: wrong',
      '        not ok 1 - should be 2',
      '    not ok 1 - wrong',
      'not ok 2 - b.test.ts',
    ].join('\n'),
  )
  t.same(counts, { passed: 0, failed: 2, skipped: 0 })
  t.match(printed, '\n✖ b.test.ts › wrong › should be 2\n')
})
