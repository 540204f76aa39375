import t from 'tap'
import { serviceStateOf } from './service-state.ts'

const healthy = { requests: 1000, events: 3000, errors: 0, failures: 0 }

t.test('a service is failing if at least 5% of its requests fail, and degraded if fewer do', async t => {
  t.equal(serviceStateOf(healthy), 'ok')
  t.equal(serviceStateOf({ ...healthy, errors: 1 }), 'degraded')
  t.equal(serviceStateOf({ ...healthy, failures: 49 }), 'degraded')
  t.equal(serviceStateOf({ ...healthy, failures: 50 }), 'failing')
  t.equal(serviceStateOf({ ...healthy, errors: 50 }), 'failing')
  t.equal(
    serviceStateOf({ ...healthy, errors: 49, failures: 49 }),
    'degraded',
    '5xx responses and failures are not added together',
  )
})

t.test('the failures of a service without requests are compared with its events', async t => {
  t.equal(serviceStateOf({ ...healthy, requests: 0, failures: 149 }), 'degraded')
  t.equal(serviceStateOf({ ...healthy, requests: 0, failures: 150 }), 'failing')
  t.equal(serviceStateOf({ requests: 0, events: 1, errors: 0, failures: 1 }), 'failing')
})
