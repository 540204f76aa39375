import t from 'tap'
import { testWorkspaceStore } from '../conformance/index.ts'
import { openDuckDbStore } from './store.ts'

t.test('conforms to WorkspaceStore', t =>
  testWorkspaceStore(t, t => {
    const folder = t.testdir()
    return { open: options => openDuckDbStore({ folder, ...options }) }
  }),
)
