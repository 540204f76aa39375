import t from 'tap'
import { testFailureStore } from '../conformance/index.ts'
import { openDuckDbStore } from './store.ts'

t.test('conforms to FailureStore', t =>
  testFailureStore(t, t => {
    const folder = t.testdir()
    return { open: options => openDuckDbStore({ folder, ...options }) }
  }),
)
