import t from 'tap'
import {
  countWords,
  describeChange,
  describeErrorRateChange,
  durationWords,
  rateWords,
} from './describe-change.ts'

const errorRateChange = (now: number | null, before: number | null, requests = 10_000) =>
  describeErrorRateChange({ errorRatio: now, requests }, { errorRatio: before, requests })
const words = (change: ReturnType<typeof describeChange>) => change?.words

t.test('describes a change in words', async t => {
  t.equal(words(describeChange(230, 164, durationWords)), '40% slower')
  t.equal(words(describeChange(164, 230, durationWords)), '29% faster')
  t.equal(words(describeChange(500, 100, durationWords)), '5.0 times as long')
  t.equal(words(describeChange(2600, 100, countWords)), '26 times as many')
  t.equal(words(describeChange(1_234_500, 1, durationWords)), '1,234,500 times as long')
  t.equal(words(describeChange(0, 100, countWords)), '100% fewer')
  t.equal(words(describeChange(2, 955, countWords)), '99.8% fewer')
  t.equal(words(describeChange(1, 100_000, countWords)), '99.9% fewer')
  t.equal(words(describeChange(1.01, 1, rateWords)), '1% higher')
  t.equal(words(describeChange(1.004, 1, rateWords)), 'unchanged')
})

t.test('describes a change in the error rate in percentage points', async t => {
  t.equal(words(errorRateChange(0.012, 0.004)), '0.8 points higher')
  t.equal(words(errorRateChange(0.012, 0.002)), '1 point higher')
  t.equal(words(errorRateChange(0, 0.5)), '50 points lower')
  t.equal(words(errorRateChange(0.0101, 0.01)), 'unchanged')
})

t.test('returns null if there is nothing to compare', async t => {
  t.equal(describeChange(null, 3, durationWords), null)
  t.equal(describeChange(3, null, durationWords), null)
  t.equal(describeChange(0, 0, countWords), null)
  t.equal(describeChange(3, 0, countWords), null)
  t.equal(errorRateChange(0, 0), null)
  t.equal(errorRateChange(0.1, null), null)
})

t.test('the tone of a change says whether it is good', async t => {
  t.match(describeChange(230, 164, durationWords), { direction: 'up', tone: 'bad' })
  t.match(describeChange(164, 230, durationWords), { direction: 'down', tone: 'ok' })
  t.match(describeChange(3, 2, countWords), { direction: 'up', tone: 'neutral' })
  t.match(errorRateChange(0.012, 0.004), { direction: 'up', tone: 'bad' })
  t.match(errorRateChange(0, 0.5), { direction: 'down', tone: 'ok' })
  t.match(describeChange(1, 1, countWords), { direction: null, tone: 'muted' })
  t.match(describeChange(104, 100, durationWords), { words: '4% slower', tone: 'neutral' })
})

t.test('a change in the error rate that may be due to chance is neutral', async t => {
  t.match(errorRateChange(0.012, 0.004, 100), {
    words: '0.8 points higher',
    direction: 'up',
    tone: 'neutral',
  })
  t.match(errorRateChange(0.012, 0.004, 2000), { words: '0.8 points higher', direction: 'up', tone: 'bad' })
  t.match(errorRateChange(1, 0, 1), { tone: 'neutral' })
})
