import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { errorCode } from '../../../shared/error-code.ts'
import type { Config } from '../../settings/config.ts'
import type { TracedFetch } from '../../tracing/tracing.ts'
import type { Identity } from '../grant-role.ts'
import { SignInError } from './sign-in-error.ts'
import type { SignInAttempt } from './sign-in-state.ts'

const timeoutSeconds = 10
const maxClockSkewSeconds = 60
const maxMetadataAgeMs = 60_000
const maxFailureAgeMs = 5_000

/** Providers differ in the claims that they send, and in their types. Entra sends `roles` instead of group names. */
const claimsSchema = Type.Object({
  sub: Type.String(),
  email: Type.Optional(Type.Unknown()),
  email_verified: Type.Optional(Type.Unknown()),
  preferred_username: Type.Optional(Type.Unknown()),
  groups: Type.Optional(Type.Unknown()),
  roles: Type.Optional(Type.Unknown()),
})

export type Provider = {
  /** Returns the URL at which the user signs in. @throws SignInError if the provider cannot be reached */
  authorizationUrl(attempt: SignInAttempt, redirectUri: string): Promise<URL>
  /**
   * Exchanges the code in the URL for the identity of the user.
   * @throws SignInError if the provider rejects the sign-in, or its response is not valid for this attempt
   */
  identityOf(currentUrl: URL, attempt: SignInAttempt): Promise<Identity>
  /** Returns the URL at which the user signs out of the provider; `null` if it has no such URL or cannot be reached. */
  endSessionUrl(returnTo: string): Promise<URL | null>
}

/**
 * Reads the provider's metadata and keys whenever a user returns from the provider, because keys rotate. Anyone can start a
 * sign-in, so starting one reads the metadata at most once a minute, or every five seconds while reading it fails.
 */
export function createProvider(
  {
    oidcIssuer,
    oidcClientId,
    oidcClientSecret,
  }: Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'>,
  fetch: TracedFetch,
): Provider {
  const issuer = new URL(oidcIssuer)
  const discover = () =>
    discovery(
      issuer,
      oidcClientId,
      { client_secret: oidcClientSecret, [clockTolerance]: maxClockSkewSeconds },
      authenticateWith(oidcClientSecret),
      {
        timeout: timeoutSeconds,
        // All request bodies in the sign-in flow are URL-encoded forms.
        [customFetch]: (url, { body, signal = null, ...options }) =>
          fetch(url, { ...options, body: body instanceof URLSearchParams ? body : null, signal }),
        // The issuer setting allows `http` only for loopback addresses.
        execute: [
          enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    ).catch((cause: unknown) => {
      throw new SignInError(
        503,
        `The sign-in provider ${issuer.host} can’t be reached, or its configuration is not valid. Try again later.`,
        { cause },
      )
    })

  let recent: { configuration: Promise<Configuration>; endsMs: number } | null = null
  const recentConfiguration = () => {
    const nowMs = Date.now()
    if (recent !== null && nowMs < recent.endsMs) return recent.configuration
    const started = { configuration: discover(), endsMs: nowMs + maxMetadataAgeMs }
    started.configuration.catch(() => {
      started.endsMs = Date.now() + maxFailureAgeMs
    })
    recent = started
    return started.configuration
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }, redirectUri) {
      return buildAuthorizationUrl(await recentConfiguration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },
    async identityOf(currentUrl, { state, nonce, codeVerifier }) {
      const configuration = await discover()
      try {
        const tokens = await authorizationCodeGrant(configuration, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('The response contains no ID token')
        const more = await userInfoOf(configuration, tokens.access_token, claims.sub).catch(cause => {
          // Hides the code of this error, which `signInErrorOf` would mistake for a problem with the token request.
          throw new Error('The UserInfo request failed', { cause })
        })
        const isOther = 'email' in more && more.email !== claims.email
        return identityOf({ ...claims, ...(isOther && { email_verified: undefined }), ...more })
      } catch (error) {
        throw signInErrorOf(error, issuer.host)
      }
    },
    async endSessionUrl(returnTo) {
      const configuration = await recentConfiguration().catch(() => null)
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo })
    },
  }
}

/**
 * Sends the client secret as a parameter if the provider's metadata lists this method. Otherwise sends it in a header, the
 * default of the specification.
 */
function authenticateWith(secret: string): ClientAuth {
  return (server, ...request) => {
    const acceptsPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const authenticate = acceptsPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
    authenticate(server, ...request)
  }
}

/** Some providers send the e-mail address and the groups only in the UserInfo response. */
async function userInfoOf(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<object> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  return fetchUserInfo(configuration, accessToken, subject)
}

/** An address that the provider has not verified could belong to somebody else. */
function identityOf(given: object): Identity {
  if (!Value.Check(claimsSchema, given)) throw new Error('The ID token contains no subject')
  const { sub, email, email_verified, preferred_username, groups, roles } = given
  const isVerified = email_verified === true || email_verified === 'true'
  const verified = isVerified && typeof email === 'string' ? email : null
  return {
    name: verified ?? (typeof preferred_username === 'string' ? `${preferred_username} (${sub})` : sub),
    email: verified,
    groups: [groups, roles].flatMap(textsIn),
  }
}

/** Some providers send a single string instead of a list. Ignores everything else. */
function textsIn(claim: unknown): string[] {
  return [claim].flat().filter(item => typeof item === 'string')
}

function signInErrorOf(cause: unknown, host: string): SignInError {
  switch (errorCode(cause)) {
    case 'OAUTH_AUTHORIZATION_RESPONSE_ERROR':
      return new SignInError(403, `${host} did not sign you in: ${errorOf(cause)}.`, { cause })
    case 'OAUTH_RESPONSE_BODY_ERROR':
      return new SignInError(400, `${host} did not accept the sign-in: ${errorOf(cause)}. Start again.`, {
        cause,
      })
    case 'OAUTH_WWW_AUTHENTICATE_CHALLENGE':
      return new SignInError(
        502,
        `${host} did not accept Sixpane’s client ID and client secret. Ask your Sixpane operator to check both.`,
        { cause },
      )
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return new SignInError(
        502,
        `The clocks of Sixpane and ${host} differ by more than ${maxClockSkewSeconds} seconds. Ask your Sixpane operator to check Sixpane’s clock.`,
        { cause },
      )
    default:
      return new SignInError(
        502,
        `Sixpane can’t verify the response from ${host}. Your Sixpane operator can find the reason in Sixpane’s log.`,
        { cause },
      )
  }
}

/** The provider's error code, such as `access_denied`. Its description could contain anything. */
function errorOf(cause: unknown): string {
  const error = typeof cause === 'object' && cause !== null && 'error' in cause ? String(cause.error) : ''
  return /^[\w.-]{1,60}$/.test(error) ? error : 'unknown error'
}
