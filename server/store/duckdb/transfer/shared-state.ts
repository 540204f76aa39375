import { isDeepStrictEqual } from 'node:util'
import { createMutex } from '../../common/mutex.ts'
import type { Sql } from '../../common/sql.ts'
import { emptyState } from '../../state/state.ts'
import { type SharedState, sharedCollections, type TransferStore } from '../../transfer-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type StateTable, tables, type ValueIn } from './state-tables.ts'

/** Limited because the engine is slow at parsing statements with many values. */
const entriesPerStatement = 200
/** The engine may store the rows of a statement in any order, but audit entries with equal times must stay in order. */
const auditEntriesPerStatement = 1

/** Provides the workspace tables as a `SharedState`. Stores changed entries in one transaction. */
export function createSharedState(
  workspace: Pick<Workspace, 'query' | 'execute'>,
): TransferStore['sharedState'] {
  const withLock = createMutex()
  return work =>
    withLock(async () => {
      const [before, after] = [emptyState(), emptyState()]
      for (const name of sharedCollections) await load(workspace, name, before, after)
      const result = work(after)
      const statements = sharedCollections.flatMap(name => changesOf(name, before[name], after[name]))
      if (statements.length > 0) await workspace.execute(...statements)
      return result
    })
}

async function load<Name extends keyof SharedState>(
  { query }: Pick<Workspace, 'query'>,
  name: Name,
  ...states: readonly SharedState[]
): Promise<void> {
  const table: StateTable<ValueIn<Name>> = tables[name]
  for (const row of await query(table.rows)) {
    const [key, value] = table.read(row)
    for (const state of states) state[name].set(key, value)
  }
}

function changesOf<Name extends keyof SharedState>(
  name: Name,
  before: ReadonlyMap<string, ValueIn<Name>>,
  after: ReadonlyMap<string, ValueIn<Name>>,
): Sql[] {
  const table: StateTable<ValueIn<Name>> = tables[name]
  const removed = [...before.keys()].filter(key => !after.has(key))
  const changed = [...after].filter(([key, value]) => !isDeepStrictEqual(before.get(key), value))
  const size = name === 'audit' ? auditEntriesPerStatement : entriesPerStatement
  return [
    ...inParts(removed, entriesPerStatement).map(table.remove),
    ...inParts(changed, size).map(table.put),
  ]
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}
