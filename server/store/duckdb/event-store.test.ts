import t from 'tap'
import { testEventStore } from '../conformance/index.ts'
import { openDuckDbStore } from './store.ts'

t.test('conforms to EventStore', t =>
  testEventStore(t, t => {
    const folder = t.testdir()
    return { open: options => openDuckDbStore({ folder, ...options }) }
  }),
)
