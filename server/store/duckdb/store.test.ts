import t from 'tap'
import { testStore } from '../conformance/index.ts'
import { openDuckDbStore } from './store.ts'

t.test('keeps the contract of a store', t =>
  testStore(t, t => {
    const folder = t.testdir()
    return { open: options => openDuckDbStore({ folder, ...options }) }
  }),
)
