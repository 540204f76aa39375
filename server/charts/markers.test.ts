import fc from 'fast-check'
import t from 'tap'
import { drawMarkers } from './markers.ts'

const axis = { fromMs: 0, toMs: 1000 }
const markerAt = (ms: number, label: string) => ({ ms, label, tooltip: '' })
const draw = (markers: Parameters<typeof drawMarkers>[0]) => drawMarkers(markers, axis, 24)?.text ?? ''

type Label = { widths: string | undefined; x: number; isEnd: boolean; text: string }

function labelsIn(svg: string): Label[] {
  const pattern = /<text x="([^"%]*)%" y="-4"( text-anchor="end")?(?: data-widths="([^"]*)")?>([^<]*)</g
  return [...svg.matchAll(pattern)].map(([, x, end, widths, text = '']) => ({
    widths,
    x: Number(x),
    isEnd: end !== undefined,
    text,
  }))
}

/** The labels that the style sheet shows in a plot of this width, from left to right. */
function labelsAt(labels: Label[], width: number): Label[] {
  return labels
    .filter(({ widths }) => widths === undefined || widths.split(' ').includes(String(width)))
    .sort((a, b) => a.x - b.x)
}

t.test('draws a line at each time in the chart', async t => {
  const svg = draw([markerAt(5000, 'later'), markerAt(510, 'b'), markerAt(500, 'a'), markerAt(-1, 'earlier')])
  t.same(
    [...svg.matchAll(/<line x1="([^"]*)" x2="[^"]*" y2="24"/g)].map(([, x]) => x),
    ['50%', '51%'],
  )
  t.equal(draw([markerAt(5000, 'later')]), '')
})

t.test('labels that would overlap are combined at the first of their lines, in order', async t => {
  const labels = labelsIn(draw([markerAt(979, '3.10.0'), markerAt(378, '3.9.1'), markerAt(326, '3.9.0')]))
  const textsAt = (width: number) => labelsAt(labels, width).map(({ x, text }) => `${x} ${text}`)
  t.same(textsAt(200), ['32.6 3.9.0, 3.9.1', '97.9 3.10.0'])
  t.same(textsAt(500), ['32.6 3.9.0, 3.9.1', '97.9 3.10.0'])
  t.same(textsAt(1000), ['32.6 3.9.0', '37.8 3.9.1', '97.9 3.10.0'])
  t.same(
    labels.map(({ isEnd }) => isEnd),
    [false, true, false, false],
    'only the last label has no space to the right of its line',
  )
})

t.test('a combined label counts the names that do not fit', async t => {
  const labels = labelsIn(
    draw([
      markerAt(700, 'checkout 2026.11.2'),
      markerAt(400, 'gateway 3.9.1'),
      markerAt(390, 'web-shop 72'),
      markerAt(380, 'gateway 3.9.0'),
    ]),
  )
  const textsAt = (width: number) => labelsAt(labels, width).map(({ text }) => text)
  t.same(textsAt(200), ['gateway 3.9.0 +3'])
  t.same(textsAt(500), ['gateway 3.9.0 +2', 'checkout 2026.11.2'])
  t.same(textsAt(1000), ['gateway 3.9.0, web-shop 72, gateway 3.9.1', 'checkout 2026.11.2'])
})

t.test(
  'property: at every width, the labels cover all markers, are inside the plot and do not overlap',
  async () => {
    const marker = fc
      .record({ ms: fc.integer({ min: 0, max: 999 }), length: fc.integer({ min: 1, max: 40 }) })
      .map(({ ms, length }) => markerAt(ms, 'x'.repeat(length)))
    const widths = fc.constantFrom(200, 300, 500, 1000, 1500)
    fc.assert(
      fc.property(fc.array(marker, { minLength: 1, maxLength: 12 }), widths, (markers, width) => {
        const labels = labelsAt(labelsIn(draw(markers)), width)
        let named = 0
        let taken = 0
        for (const { x, isEnd, text } of labels) {
          const length = text.length * 6.5
          const from = (x / 100) * width - (isEnd ? length : 0)
          if (from < taken - 0.1 || from + length > width + 0.1) return false
          taken = from + length
          const [names = '', more = '0'] = text.split(' +')
          named += names.split(', ').length + Number(more)
        }
        return named === markers.length
      }),
    )
  },
)
