import t from 'tap'
import type { ServiceRow } from '../../../shared/screens/home.ts'
import { type VerdictInput, verdictOf } from './verdict.ts'

const quiet = {
  failures: 0,
  failuresBefore: 0,
  occurrences: 0,
  occurrencesBefore: 0,
  handledFailures: 0,
  serverErrors: 0,
  onlyOwn: false,
  span: '15m',
} satisfies Partial<VerdictInput>

function of(...states: ServiceRow['state'][]): VerdictInput['services'] {
  return states.map((state, index) => ({ service: `service-${index + 1}`, state }))
}

t.test('summarises combinations of service states', async t => {
  const cases: [Partial<VerdictInput> & Pick<VerdictInput, 'services'>, string, string][] = [
    [
      {
        services: of('failing', 'failing', 'ok', 'ok', 'silent'),
        failures: 3,
        occurrences: 14,
        occurrencesBefore: 1,
      },
      'failing',
      '2 of 5 services are failing: 3 failures occurred 14 times in the last 15 minutes, up from 1',
    ],
    [
      { services: of('failing', 'ok'), failures: 1, occurrences: 1, span: '1h' },
      'failing',
      '1 of 2 services is failing: 1 failure occurred once in the last hour, up from 0',
    ],
    [
      {
        services: of('failing', 'failing', 'failing'),
        failures: 5,
        occurrences: 1200,
        occurrencesBefore: 3400,
      },
      'failing',
      'All 3 services are failing: 5 failures occurred 1,200 times in the last 15 minutes, down from 3,400',
    ],
    [
      { services: of('failing'), failures: 1, occurrences: 2, failuresBefore: null, occurrencesBefore: null },
      'failing',
      'service-1 is failing: 1 failure occurred 2 times in the last 15 minutes',
    ],
    [
      { services: of('ok'), failuresBefore: null, occurrencesBefore: null },
      'ok',
      'service-1 is healthy: no failures in the last 15 minutes',
    ],
    [
      { services: of('failing'), failures: 1, occurrences: 2, occurrencesBefore: 2 },
      'failing',
      'service-1 is failing: 1 failure occurred 2 times in the last 15 minutes, unchanged',
    ],
    [
      {
        services: of('failing', 'degraded', 'degraded', 'ok'),
        failures: 2,
        occurrences: 9,
        occurrencesBefore: 1,
      },
      'failing',
      '1 of 4 services is failing, 2 degraded: 2 failures occurred 9 times in the last 15 minutes, up from 1',
    ],
    [
      { services: of('failing', 'ok'), serverErrors: 60 },
      'failing',
      '1 of 2 services is failing: 60 5xx responses in the last 15 minutes, no failures',
    ],
    [
      {
        services: of('degraded', 'ok', 'ok'),
        failures: 1,
        occurrences: 3,
        occurrencesBefore: 5,
        serverErrors: 2,
      },
      'degraded',
      '1 of 3 services is degraded: 1 failure occurred 3 times in the last 15 minutes, down from 5',
    ],
    [
      { services: of('degraded', 'ok', 'ok'), serverErrors: 1 },
      'degraded',
      '1 of 3 services is degraded: 1 5xx response in the last 15 minutes, no failures',
    ],
    [
      { services: of('degraded', 'degraded'), serverErrors: 30, failuresBefore: 4 },
      'degraded',
      'Both services are degraded: 30 5xx responses in the last 15 minutes, no failures, down from 4',
    ],
    [
      { services: of('ok', 'ok', 'ok', 'ok', 'ok') },
      'ok',
      'All 5 services are healthy: no failures in the last 15 minutes',
    ],
    [
      { services: of('ok', 'ok'), failuresBefore: 7 },
      'ok',
      'Both services are healthy: no failures in the last 15 minutes, down from 7',
    ],
    [
      { services: of('ok', 'ok', 'ok'), handledFailures: 2 },
      'ok',
      'All 3 services are healthy: no open failures in the last 15 minutes',
    ],
    [
      { services: of('degraded', 'ok', 'ok'), serverErrors: 2, handledFailures: 1, failuresBefore: 3 },
      'degraded',
      '1 of 3 services is degraded: 2 5xx responses in the last 15 minutes, no open failures, down from 3',
    ],
    [
      {
        services: of(...Array<'failing'>(31).fill('failing'), ...Array<'ok'>(169).fill('ok')),
        failures: 345,
        occurrences: 12_345,
        occurrencesBefore: 12_344,
        span: '30d',
      },
      'failing',
      '31 of 200 services are failing: 345 failures occurred 12,345 times in the last 30 days, up from 12,344',
    ],
    [
      { services: of('ok', 'ok', 'silent') },
      'ok',
      '2 of 3 services are healthy, 1 silent: no failures in the last 15 minutes',
    ],
    [{ services: of('silent') }, 'empty', 'service-1 is silent: no events in the last 15 minutes'],
    [{ services: of('ok'), onlyOwn: true }, 'empty', 'Waiting for your first service. Sixpane is running.'],
    [
      { services: of('failing'), onlyOwn: true, failures: 1, occurrences: 3 },
      'failing',
      'Sixpane itself is failing: 1 failure occurred 3 times in the last 15 minutes, up from 0',
    ],
    [
      {
        services: [
          { service: 'shop', state: 'ok' },
          { service: 'sixpane', state: 'failing' },
        ],
        failures: 1,
        occurrences: 3,
        occurrencesBefore: 1,
      },
      'failing',
      'Only Sixpane itself is failing: 1 failure occurred 3 times in the last 15 minutes, up from 1',
    ],
    [{ services: [], onlyOwn: true }, 'empty', 'Waiting for your first service.'],
    [{ services: [] }, 'empty', 'No events of the services that you may see.'],
  ]
  for (const [input, state, sentence] of cases) {
    t.match(verdictOf({ ...quiet, ...input }), { state, sentence })
  }
})

t.test("the search for 5xx responses includes Sixpane's own only if Sixpane is listed", async t => {
  const searchOf = (...services: string[]) => {
    const failing = services.map(service => ({ service, state: 'failing' as const }))
    return verdictOf({ ...quiet, services: failing, serverErrors: 7 }).search
  }
  t.equal(searchOf('shop'), 'status:>=500 duration:*')
  t.equal(searchOf('shop', 'sixpane'), 'status:>=500 duration:* source:*')
})
