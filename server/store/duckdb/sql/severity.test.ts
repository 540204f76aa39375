import t from 'tap'
import { severities } from '../../../../shared/severity.ts'
import { readSeverity, storedSeverity } from './severity.ts'

t.test('stored severity numbers never change', async t => {
  t.strictSame(
    Object.fromEntries(severities.map(severity => [severity, storedSeverity(severity)])),
    { trace: 0, debug: 1, info: 2, warn: 3, error: 4, fatal: 5 },
    'give a new severity a new number, because stored events contain the existing numbers',
  )
  for (const severity of severities) t.equal(readSeverity(storedSeverity(severity)), severity)
  t.throws(() => readSeverity(99), TypeError)
})
