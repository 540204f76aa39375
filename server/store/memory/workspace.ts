import { cacheTokens } from '../common/cache-tokens.ts'
import type { AccessState } from '../state/state.ts'
import { undosOf } from '../state/undos.ts'
import { putSourceMap, workspaceOf } from '../state/workspace.ts'
import type { WorkspaceStore } from '../workspace-store.ts'
import type { Memory } from './memory.ts'

export function memoryWorkspace(memory: Memory, access: AccessState): WorkspaceStore {
  const workspace = workspaceOf(access, access)
  return {
    ...workspace,
    sourceMaps: {
      ...workspace.sourceMaps,
      put: (map, content, limitBytes) =>
        access(state => {
          const result = putSourceMap(state, map, content.length, limitBytes)
          if (!memory.sourceMapContents.has(map.id))
            memory.sourceMapContents.set(map.id, Uint8Array.from(content))
          for (const { id } of result.deleted) memory.sourceMapContents.delete(id)
          return result
        }),
      read: (id, start, length) =>
        access(() => memory.sourceMapContents.get(id)?.slice(start, start + length) ?? null),
    },
    tokens: cacheTokens(workspace.tokens),
    undos: undosOf(access),
  }
}
