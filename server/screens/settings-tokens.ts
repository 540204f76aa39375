import type { SettingsContent } from '../../shared/content.ts'
import type { TokenStore } from '../store/tokens.ts'
import { createToken } from '../tokens.ts'

const mostTokens = 100
const longestName = 60

/** Makes a token by its form: the token itself, which nothing shows again, or why there is none. */
export async function makeToken(
  form: URLSearchParams,
  tokens: TokenStore,
  nowMs: number,
): Promise<{ name: string; secret: string } | SettingsContent['tokenForm']> {
  const name = form.get('name')?.trim() ?? ''
  const problem = problemOf(name, (await tokens.list()).length)
  if (problem !== null) return { name, problem }
  const { secret } = await createToken(name, tokens, nowMs)
  return { name, secret }
}

function problemOf(name: string, existing: number): string | null {
  if (name === '') return 'A name is needed: by it you know later which to revoke'
  if (name.length > longestName) return `At most ${longestName} characters`
  return existing >= mostTokens ? `There are ${mostTokens} tokens already: revoke one` : null
}
