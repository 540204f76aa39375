import { allowInsecureRequests, discovery } from 'openid-client'
import { causeOf } from '../../shared/cause-of.ts'
import { errorCode } from '../../shared/error-code.ts'
import type { Config } from '../settings/config.ts'
import { type Finding, ok, problem } from './finding.ts'

const check = 'Sign-in'
const maxSkewMs = 60_000
const timeoutMs = 10_000

/**
 * Checks that the OpenID provider can be reached, that its issuer is the configured one, and that its clock agrees with this
 * machine's.
 */
export async function checkProvider(
  config: Pick<Config, 'signIn' | 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'>,
): Promise<Finding[]> {
  if (config.signIn !== 'oidc') return []
  const issuer = new URL(config.oidcIssuer)
  const metadataUrl = `${config.oidcIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
    const found = await discovery(issuer, config.oidcClientId, config.oidcClientSecret, undefined, {
      timeout: timeoutMs / 1000,
      execute,
    })
    if (found.serverMetadata().jwks_uri === undefined)
      return [
        problem(
          check,
          `${metadataUrl} contains no jwks_uri, so signatures cannot be checked. Ask the provider's operator to add it`,
        ),
      ]
    const skew = await skewOf(metadataUrl)
    return skew === null || Math.abs(skew) <= maxSkewMs
      ? [ok(check, `The provider ${issuer.host} can be reached`)]
      : [
          problem(
            check,
            `The clocks of this machine and ${issuer.host} differ by ${Math.round(Math.abs(skew) / 1000)} seconds, but sign-in allows at most 60. Synchronise the clock of this machine, for example with chrony`,
          ),
        ]
  } catch (error) {
    if (errorCode(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
      return [
        problem(
          check,
          `The issuer field in ${metadataUrl} is not ${config.oidcIssuer}. Set SIXPANE_OIDC_ISSUER to exactly the value of that field, including a trailing slash`,
        ),
      ]
    return [
      problem(
        check,
        `${metadataUrl} cannot be read: ${causeOf(error)}. Nobody can sign in. Check SIXPANE_OIDC_ISSUER, DNS and the firewall`,
      ),
    ]
  }
}

/**
 * Returns how far the provider's clock is ahead, in milliseconds; `null` if the response has no date. The `Age` of a cached
 * response is the time since the provider sent it. https://www.rfc-editor.org/rfc/rfc9111#name-age
 */
async function skewOf(url: string): Promise<number | null> {
  const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) })
  const date = Date.parse(response.headers.get('date') ?? '')
  const [ageSeconds] = /^\d+/.exec(response.headers.get('age') ?? '') ?? []
  return Number.isNaN(date) ? null : date + Number(ageSeconds ?? 0) * 1000 - Date.now()
}
