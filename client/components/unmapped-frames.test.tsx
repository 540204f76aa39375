import t from 'tap'
import { explainUnmapped } from '../../server/failures/explain-unmapped.ts'
import { type Frame, unmappedReasons } from '../../shared/stack.ts'
import { StackTrace } from './stack-trace.tsx'
import { render, testNowMs, textOf } from './testing.tsx'

const frame: Frame = {
  functionName: 't',
  file: 'static/main.js',
  line: 1,
  column: 2048,
  inApp: true,
  code: null,
  cause: null,
  unmapped: null,
}
const because = (
  reason: (typeof unmappedReasons)[number],
  release: string | null = '1.4.2',
  candidates = ['1.4.1'],
) => ({
  ...frame,
  unmapped: explainUnmapped({ reason, service: 'shop', release, candidates, positions: [] }),
})
const shown = (...frames: Frame[]) => render(<StackTrace frames={frames} stack={null} />)

t.test('labels each unmapped frame and explains each reason once', async t => {
  const html = shown(because('missing'), because('missing'), because('wrong-release'))
  t.match(textOf(html), /static\/main\.js:1:2048 t no source map/)
  t.equal(html.split('No source map for this file is stored for release 1.4.2').length, 2)
  t.match(
    textOf(html),
    'source maps for this file are stored only for 1.4.1. Others were not uploaded, or were deleted',
  )
  t.match(textOf(html), 'npx --no-install sixpane sourcemaps upload --release 1.4.2 --service shop dist/')
  t.notMatch(shown(frame), 'stack-unmapped-reason')
  t.notMatch(shown({ ...because('missing'), inApp: false }), 'stack-unmapped-reason')
})

t.test('does not advise another upload if the build made no map for the file', async t => {
  const text = textOf(shown(because('not-built', '1.4.2', [])))
  t.match(text, 'static/main.js:1:2048 t no source map for this file')
  t.match(text, 'Source maps were uploaded for release 1.4.2 of service shop, but none for this file')
  t.match(text, 'or the map was deleted to stay within SIXPANE_SOURCEMAPS_MB')
  t.notMatch(text, 'npx --no-install sixpane')
})

t.test('lists the candidate positions of an ambiguous frame', async t => {
  const position = { file: 'src/cart.ts', line: 3, column: 5, service: 'shop', path: 'dist/index.js' }
  const positions = [
    { ...position, uploadedMs: testNowMs - 60_000 },
    { ...position, file: 'src/\u001b[1mstock.ts', service: null, uploadedMs: testNowMs - 3_600_000 },
  ]
  const ambiguous = (given: typeof positions) => {
    const { unmapped } = because('ambiguous', '1.4.2', [])
    return textOf(shown({ ...frame, unmapped: { ...unmapped, positions: given } }))
  }
  const text = ambiguous(positions)
  t.match(text, 'static/main.js:1:2048 t ambiguous src/cart.ts:3:5 map for service shop, uploaded 14:02:22')
  t.match(text, 'src/stock.ts:3:5 map for any service, uploaded 13:03:22')
  t.match(text, 'Several source maps for this file match')
  t.notMatch(text, 'npx --no-install sixpane')
  const [first = { ...position, uploadedMs: 0 }] = positions
  t.match(ambiguous([first, { ...first, path: 'lib/index.js' }]), 'map of lib/index.js for service shop')
  t.notMatch(shown(because('missing')), 'stack-positions')
})

t.test("shows the event's service if the maps are for another service", async t => {
  const text = textOf(shown(because('wrong-service', '1.4.2', ['stock', 'search'])))
  t.match(
    text,
    'The event is from service shop; source maps for this file in release 1.4.2 are stored only for stock, search. Others were not uploaded, or were deleted to stay within SIXPANE_SOURCEMAPS_MB.',
  )
  t.match(text, '--release 1.4.2 --service shop dist/')
})

t.test('explains every reason, with a command if uploading helps', async t => {
  for (const reason of unmappedReasons) {
    const text = textOf(shown(because(reason)))
    t.match(text, 'Some frames couldn’t be mapped to source', reason)
    t.notMatch(text, /undefined|null/)
  }
  t.notMatch(shown(because('no-release', null)), 'npx --no-install sixpane')
})

t.test('shell-quotes the release in the command', async t => {
  const text = textOf(shown(because('missing', "1'; rm -rf ~ #\n\u001b[0m")))
  t.match(text, `--release '1'\\''; rm -rf ~ #`)
})
