import { createToken } from '../../auth/tokens.ts'
import type { TokenStore } from '../../store/token-store.ts'
import type { Outcome } from './form-outcome.ts'

const mostTokens = 100
const longestName = 60

/** Makes a token by its form: the token itself, which nothing shows again, or why there is none. */
export async function makeToken(form: URLSearchParams, tokens: TokenStore, nowMs: number): Promise<Outcome> {
  const name = form.get('name')?.trim() ?? ''
  const existing = await tokens.list()
  const problem = problemOf(
    name,
    existing.map(token => token.name),
  )
  if (problem !== null) return { kind: 'wrong', content: { tokenForm: { name, problem } } }
  const { secret } = await createToken(name, tokens, nowMs)
  return { kind: 'shown', content: { made: { kind: 'token', name, secret } }, title: 'Token made · Settings' }
}

function problemOf(name: string, existing: readonly string[]): string | null {
  if (name === '') return 'A name is needed: by it you know later which to revoke'
  if (name.length > longestName) return `At most ${longestName} characters`
  if (existing.includes(name)) return 'There is a token of this name: revoke that one first, or use another'
  return existing.length >= mostTokens ? `There are ${mostTokens} tokens already: revoke one` : null
}
