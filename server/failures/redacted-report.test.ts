import fc from 'fast-check'
import t from 'tap'
import { anEvent } from '../store/conformance/testing.ts'
import { groupRedactedReport, redactedFingerprint } from './redacted-report.ts'

const redacted = [
  'Minified React error #419',
  'Minified React error #441',
  'An error occurred in the Server Components render',
  'The server could not finish this Suspense boundary',
]

t.test('a redacted report contains no text from the visitor', async () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.constantFrom(...redacted), text, text, text, (message, rest, type, stack) => {
      fc.pre(!/^\d/.test(rest))
      const exception = { type, message: message + rest, stack }
      const report = groupRedactedReport(anEvent({ digest: '1', source: 'browser', exception, body: rest }))
      return (
        JSON.stringify([report.body, report.exception]) ===
          JSON.stringify([message, { type: 'Error', message, stack: null }]) &&
        report.fingerprint === redactedFingerprint('1')
      )
    }),
  )
})

t.test('an error whose message a module of Sixpane replaced is a redacted report', async t => {
  for (const message of ['Internal Error', 'Internal Server Error']) {
    const exception = { type: 'Error', message: `${message}. Digest: 0123456789ab`, stack: 'at a.js:1:1' }
    t.match(groupRedactedReport(anEvent({ source: 'browser', exception, digest: null })), {
      body: message,
      exception: { type: 'Error', message, stack: null },
      digest: '0123456789ab',
      fingerprint: redactedFingerprint('0123456789ab'),
    })
  }
})

t.test('other events do not change', async () => {
  const anyText = fc.oneof(fc.string(), fc.constantFrom(...redacted))
  fc.assert(
    fc.property(anyText, anyText, fc.option(fc.string()), (first, second, digest) => {
      const event = anEvent({ digest, exception: { type: 'Error', message: first + second, stack: null } })
      const isRedacted = digest !== null && redacted.some(message => (first + second).startsWith(message))
      return isRedacted || groupRedactedReport(event) === event
    }),
  )
})

t.test('the suffix of a digest is ignored', async t => {
  t.equal(redactedFingerprint('42@E80'), redactedFingerprint('42'))
  t.not(redactedFingerprint('42'), redactedFingerprint('43'))
})
