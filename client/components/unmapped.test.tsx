import t from 'tap'
import { type Frame, unmappedReasons } from '../../shared/content.ts'
import { StackTrace } from './stack-trace.tsx'
import { render, textOf } from './testing.tsx'

const frame: Frame = {
  functionName: 't',
  file: 'static/main.js',
  line: 1,
  column: 2048,
  inApp: true,
  code: null,
  unmapped: null,
}
const because = (
  reason: (typeof unmappedReasons)[number],
  release: string | null = '1.4.2',
  candidates = ['1.4.1'],
) => ({
  ...frame,
  unmapped: { reason, release, candidates },
})
const shown = (...frames: Frame[]) => render(<StackTrace frames={frames} stack={null} />)

t.test('a frame says why it is not that of the source, and each reason stands once below', async t => {
  const html = shown(because('missing'), because('missing'), because('wrong-release'))
  t.match(textOf(html), /static\/main\.js:1:2048 no map/)
  t.equal(html.split('No source map of this file was uploaded for release 1.4.2').length, 2)
  t.match(textOf(html), 'maps of this file were uploaded for 1.4.1 only')
  t.match(textOf(html), 'npx sixpane sourcemaps upload --release 1.4.2 dist/')
  t.notMatch(shown(frame), 'stack-why')
  t.notMatch(shown({ ...because('missing'), inApp: false }), 'stack-why')
})

t.test('every reason has a sentence, and a command where that helps', async t => {
  for (const reason of unmappedReasons) {
    const text = textOf(shown(because(reason)))
    t.match(text, 'Some frames are not those of the source', reason)
    t.notMatch(text, /undefined|null/)
  }
  t.notMatch(shown(because('no-release', null)), 'npx sixpane')
})

t.test('the command is one, whatever the release is called', async t => {
  const text = textOf(shown(because('missing', "1'; rm -rf ~ #\n\u001b[0m")))
  t.match(text, `--release '1'\\''; rm -rf ~ #`)
})
