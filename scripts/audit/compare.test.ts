import t from 'tap'
import { compareAudit } from './compare.ts'

const id = 'GHSA-abcd-1234-ef56'
const advisory = {
  name: 'left-pad',
  title: 'Pads too much',
  url: `https://github.com/advisories/${id}`,
  severity: 'high',
  range: '<2.0.0',
}
const report = { vulnerabilities: { 'left-pad': { via: [advisory] }, parent: { via: ['left-pad'] } } }
const entry = { id, reason: 'Only a development tool uses it', until: '2027-01-31' }

t.test('an advisory needs an entry that has not expired', async t => {
  t.same(compareAudit(report, [], '2026-11-23'), [`${id} (high): Pads too much, in left-pad <2.0.0`])
  t.same(compareAudit(report, [entry], '2026-11-23'), [])
  t.same(compareAudit(report, [entry], '2027-01-31'), [])
  t.same(compareAudit(report, [entry], '2027-02-01'), [
    `${id}: the decision in the triage file expired on 2027-01-31`,
  ])
})

t.test('an entry that is no longer needed is reported', async t => {
  t.same(compareAudit({ vulnerabilities: {} }, [], '2026-11-23'), [])
  t.same(compareAudit({ vulnerabilities: {} }, [entry], '2026-11-23'), [
    `${id}: no package is affected any more, so remove the entry`,
  ])
})

t.test('an invalid report or triage file is an error', async t => {
  t.throws(() => compareAudit({ message: 'offline', statusCode: 405 }, [], '2026-11-23'), /no report/)
  t.throws(() => compareAudit(report, [{ id, reason: 'none' }], '2026-11-23'), /triage\.json must contain/)
})
