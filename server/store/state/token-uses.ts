import type { TransferStore } from '../transfer-store.ts'
import type { AccessState, State } from './state.ts'

type Tokens = Pick<State, 'tokens' | 'tokenUses'>

/** Returns the tokens with the times at which they were last used. */
export function tokensWithUses({ tokens, tokenUses }: Tokens): State['tokens'] {
  return new Map(
    [...tokens].map(([id, token]) => [id, { ...token, usedMs: tokenUses.get(id) ?? token.usedMs }]),
  )
}

export function removeToken({ tokens, tokenUses }: Tokens, id: string): void {
  tokens.delete(id)
  tokenUses.delete(id)
}

/** Returns a store's `sharedState`. Its tokens contain the times of their last use, which the state stores separately. */
export function sharedStateOf(run: AccessState): TransferStore['sharedState'] {
  return work =>
    run(state => {
      const before = tokensWithUses(state)
      const tokens = new Map(before)
      const {
        eventChanges: _changes,
        sourceMaps: _maps,
        appliedSourceMaps: _applied,
        tokenUses: _uses,
        undos: _undos,
        ...shared
      } = state
      const result = work({ ...shared, tokens })
      for (const id of before.keys()) if (!tokens.has(id)) removeToken(state, id)
      for (const [id, token] of tokens) {
        if (token === before.get(id)) continue
        state.tokens.set(id, token)
        state.tokenUses.delete(id)
      }
      return result
    })
}
