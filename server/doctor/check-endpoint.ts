import { causeOf } from '../../shared/cause-of.ts'
import { type Finding, ok, problem } from './finding.ts'

const timeoutMs = 5000

/**
 * Checks whether the server at a URL can be reached. Sends no data, and accepts any response.
 * @param name the name of the endpoint; empty if there is only one
 * @param advice the consequence for the operator, and what to check
 */
export async function checkEndpoint(
  check: string,
  { name, url, advice }: { name: string; url: string; advice: string },
): Promise<Finding> {
  const { origin } = new URL(url)
  const subject = name === '' ? origin : `${name}: ${origin}`
  try {
    await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
    return ok(check, `${subject} can be reached`)
  } catch (error) {
    return problem(check, `${subject} cannot be reached: ${causeOf(error)}. ${advice}`)
  }
}
