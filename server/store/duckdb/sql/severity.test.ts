import t from 'tap'
import { severities } from '../../../../shared/event.ts'
import { readSeverity, storedSeverity } from './severity.ts'

t.test('stored severity numbers never change', async t => {
  t.strictSame(
    Object.fromEntries(severities.map(severity => [severity, storedSeverity(severity)])),
    { trace: 0, debug: 1, info: 2, warn: 3, error: 4, fatal: 5 },
    'a new severity is added here with a new number; events on disk have the others',
  )
  for (const severity of severities) t.equal(readSeverity(storedSeverity(severity)), severity)
  t.throws(() => readSeverity(99), TypeError)
})
