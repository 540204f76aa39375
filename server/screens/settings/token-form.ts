import { createToken } from '../../auth/tokens.ts'
import type { TokenStore } from '../../store/token-store.ts'
import type { Outcome } from './form-outcome.ts'

const maxTokens = 100
const maxNameLength = 60

/** Creates an ingest token. Only the response to the form shows it. */
export async function makeToken(form: URLSearchParams, tokens: TokenStore, nowMs: number): Promise<Outcome> {
  const name = form.get('name')?.trim() ?? ''
  const existing = await tokens.list()
  const problem = problemOf(
    name,
    existing.map(token => token.name),
  )
  if (problem !== null) return { kind: 'invalid', content: { tokenForm: { name, problem } } }
  const { secret } = await createToken(name, tokens, nowMs)
  return {
    kind: 'page',
    content: { newSecret: { kind: 'token', name, secret } },
    title: 'Token created · Settings',
  }
}

function problemOf(name: string, existing: readonly string[]): string | null {
  if (name === '') return 'Enter a name so you can identify this token later'
  if (name.length > maxNameLength) return `Enter at most ${maxNameLength} characters`
  if (existing.includes(name)) return 'A token with this name exists. Revoke it first, or choose another name'
  return existing.length >= maxTokens ? `There are already ${maxTokens} tokens. Revoke one first` : null
}
