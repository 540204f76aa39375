import { tokenProblem } from '../sdk/destination.ts'
import { UsageError } from './options.ts'

/**
 * Returns the headers that authenticate a request. The token takes precedence over the password.
 * @throws UsageError if the token is invalid
 */
export function authorizationHeaders(
  token: string | undefined,
  password: string | undefined,
): Record<string, string> {
  if (token !== undefined) {
    const problem = tokenProblem(token)
    if (problem !== null) throw new UsageError(problem)
    return { authorization: `Bearer ${token}` }
  }
  if (password === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` }
}
