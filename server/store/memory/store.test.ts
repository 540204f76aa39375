import t, { type Test } from 'tap'
import { testEventStore, testFailureStore, testWorkspaceStore } from '../conformance/index.ts'
import { emptyMemory } from './memory.ts'
import { openMemoryStore } from './store.ts'

const make = (_t: Test) => {
  const memory = emptyMemory()
  return { open: async (options?: { nowMs?: () => number }) => openMemoryStore({ memory, ...options }) }
}

t.test('conforms to EventStore', t => testEventStore(t, make))
t.test('conforms to FailureStore', t => testFailureStore(t, make))
t.test('conforms to WorkspaceStore', t => testWorkspaceStore(t, make))
