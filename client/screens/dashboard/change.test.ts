import t from 'tap'
import { change, changeOfShare, ofCounts, ofDurations, ofRates } from './change.ts'

t.test('a change is said in words', async t => {
  t.equal(change(230, 164, ofDurations), '40 % slower')
  t.equal(change(164, 230, ofDurations), '29 % faster')
  t.equal(change(500, 100, ofDurations), '5.0 times as long')
  t.equal(change(2600, 100, ofCounts), '26 times as many')
  t.equal(change(0, 100, ofCounts), '100 % fewer')
  t.equal(change(1.01, 1, ofRates), '1 % higher')
  t.equal(change(1.004, 1, ofRates), 'as before')
})

t.test('shares are compared by points', async t => {
  t.equal(changeOfShare(0.012, 0.004), '0.8 points higher')
  t.equal(changeOfShare(0.012, 0.002), '1 point higher')
  t.equal(changeOfShare(0, 0.5), '50 points lower')
  t.equal(changeOfShare(0.0101, 0.01), 'as before')
})

t.test('nothing is made up where there is nothing to compare', async t => {
  t.equal(change(null, 3, ofDurations), null)
  t.equal(change(3, null, ofDurations), null)
  t.equal(change(0, 0, ofCounts), null)
  t.equal(change(3, 0, ofCounts), null)
  t.equal(changeOfShare(0, 0), null)
  t.equal(changeOfShare(0.1, null), null)
})
