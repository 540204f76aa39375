import t from 'tap'
import { createJoiner } from './join-lines.ts'
import { createRepeatDetector } from './repeats.ts'

/** As printed by Next.js 14.2 in production. */
const printed = `n [PaymentError]: card declined
    at s (/app/.next/server/app/pay/page.js:1:1877) {
  digest: '3722260744',
  [cause]: TypeError: no funds
      at s (/app/.next/server/app/pay/page.js:1:1907)
}`

function withoutRepeats(texts: readonly [string, number][]): string[] {
  const remaining: string[] = []
  const isRepeat = createRepeatDetector()
  const joiner = createJoiner(joined => {
    if (!isRepeat(joined)) remaining.push(joined.lines.map(({ text }) => text).join('\n'))
  })
  for (const [text, timeMs] of texts)
    for (const line of text.split('\n')) joiner.push({ text: line, position: 0, timeMs })
  joiner.flush()
  return remaining
}

t.test('counts an error once per request, although Next.js 14 prints it twice', async t => {
  const twice: [string, number][] = [
    [printed, 0],
    [printed, 5],
  ]
  t.same(withoutRepeats(twice), [printed])
  t.same(withoutRepeats([...twice, ...twice]), [printed, printed])
})

t.test('keeps all other events', async t => {
  const other = printed.replace('page.js:1:1877', 'page.js:1:9')
  const marked = ` ⨯ ${printed}`
  const withoutDigest = printed.replace(/ {2}digest.*\n/, '')
  for (const [one, second, timeMs] of [
    [printed, other, 0],
    [printed, printed.replace('3722260744', '3722260745'), 0],
    [marked, marked, 0],
    [withoutDigest, withoutDigest, 0],
    ['ready', 'ready', 0],
    [printed, printed, 2000],
  ] as const)
    t.equal(
      withoutRepeats([
        [one, 0],
        [second, timeMs],
      ]).length,
      2,
      second,
    )
  t.equal(
    withoutRepeats([
      [printed, 0],
      ['ready', 0],
      [printed, 0],
    ]).length,
    3,
  )
})
