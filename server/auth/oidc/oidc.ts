import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { passwordPath, paths } from '../../../shared/paths.ts'
import type { Context } from '../../context.ts'
import { type PageLink, refusalPage } from '../../html/refusal-page.ts'
import { clientAddress } from '../../http/client-address.ts'
import { htmlType, isPageLoad } from '../../http/html-response.ts'
import { HttpError } from '../../http/http-error.ts'
import { searchParamsOf } from '../../http/request-url.ts'
import { isLoopbackUrl } from '../../settings/addresses.ts'
import { credentialsOf } from '../credentials.ts'
import { grantRole, noAccess } from '../grant-role.ts'
import type { SignInMethod } from '../sign-in-method.ts'
import { hostCookie } from './host-cookie.ts'
import { localPath } from './local-path.ts'
import { createProvider } from './provider.ts'
import { createSessions } from './sessions.ts'
import { SignInError } from './sign-in-error.ts'
import { createSignInStates } from './sign-in-state.ts'

const signedOutCookie = '__Host-sixpane_signed_out'

/**
 * Sign-in with OpenID Connect: authorization code flow with PKCE (https://openid.net/specs/openid-connect-core-1_0.html). A
 * page request without a session is redirected to the provider, which redirects to `/sign-in/callback`. That route redirects
 * back to the page.
 */
export async function startOidc(
  fastify: FastifyInstance,
  { config, store, audit, tracing }: Pick<Context, 'config' | 'store' | 'audit' | 'tracing'>,
): Promise<SignInMethod> {
  const sessions = await createSessions(config, store)
  const states = createSignInStates(config.oidcClientSecret)
  const provider = createProvider(config, tracing.fetch)
  const withPassword = config.password === null ? [] : [{ text: 'Use the password', href: passwordPath }]
  const originOf = ({ host }: FastifyRequest) =>
    config.hasPublicOrigin ? config.publicOrigin : originAt(host)

  const signIn = async (request: FastifyRequest, reply: FastifyReply, returnTo: string) => {
    const attempt = states.start(request, reply, returnTo)
    try {
      const url = await provider.authorizationUrl(attempt, originOf(request) + paths.signInCallback())
      reply.clearCookie(signedOutCookie, hostCookie)
      return reply.header('cache-control', 'no-store').redirect(url.href, 302)
    } catch (error) {
      return sendSignInError(error, request, reply, returnTo)
    }
  }

  const access = { config: { access: 'public' }, exposeHeadRoute: false } as const
  fastify.get(paths.signIn(), access, async (request, reply) =>
    signIn(request, reply, localPath(searchParamsOf(request).get('to') ?? '')),
  )

  const finishSignIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const attempt = states.read(searchParamsOf(request).get('state') ?? '', request)
    try {
      if (attempt === null)
        throw new SignInError(400, 'This sign-in has expired, or another browser started it. Start again.')
      const goBack = () => reply.header('cache-control', 'no-store').redirect(attempt.returnTo, 303)
      // Without a session, the page starts another attempt, with the secret that the browser has now.
      if (!('state' in attempt)) return goBack()
      const currentUrl = new URL(request.raw.url ?? '', originOf(request))
      const identity = await provider.identityOf(currentUrl, attempt)
      const user = grantRole(identity, config)
      if (user === null) throw new SignInError(403, noAccess(identity))
      if (!sessions.start({ ...user, name: identity.name }, reply))
        throw new SignInError(
          403,
          'You have access to more services than a session can store. Ask your Sixpane operator to grant you access to all services.',
        )
      await audit.record(identity, 'Signed in', user.role)
      return goBack()
    } catch (error) {
      return sendSignInError(error, request, reply, attempt?.returnTo ?? paths.home())
    }
  }
  await fastify.register(async scope => {
    // Each callback sends requests to the provider, which may limit them for all users together.
    await scope.register(rateLimit, { max: 30, timeWindow: '1 minute', keyGenerator: clientAddress })
    scope.get(paths.signInCallback(), access, finishSignIn)
  })

  fastify.post(paths.signOut(), { config: { access: 'public' } }, async (request, reply) => {
    await sessions.end(request, reply)
    reply.setCookie(signedOutCookie, '1', hostCookie)
    // Otherwise, the Back button would show cached pages.
    reply.header('clear-site-data', '"cache"')
    return reply.redirect(paths.signedOut(), 303)
  })

  fastify.get(paths.signedOut(), access, async (request, reply) => {
    const url = await provider.endSessionUrl(originOf(request) + paths.signedOut())
    const atProvider = url === null ? [] : [{ text: `Sign out of ${url.host} too`, href: url.href }]
    const links = [{ text: 'Sign in', href: paths.signIn() }, ...withPassword, ...atProvider]
    const text =
      credentialsOf(request)?.scheme === 'basic'
        ? 'This browser still has the password. To end its access to Sixpane, close it.'
        : 'This browser no longer has access to Sixpane.'
    return sendPage(reply, 200, 'You have signed out', text, links)
  })

  return {
    userOf(request) {
      const session = sessions.of(request)
      if (session === null) return null
      const { name, role, services } = session
      return { name, role, services }
    },
    async challenge(request, reply) {
      // Requests from scripts could not follow a redirect to the provider.
      if (request.method !== 'GET' || !isPageLoad(request))
        throw new HttpError(401, 'Your session has ended. Sign in again', bearer)
      const returnTo = localPath(request.raw.url ?? '')
      if (request.cookies[signedOutCookie] === undefined) return signIn(request, reply, returnTo)
      const links = [{ text: 'Sign in', href: paths.signIn({ to: returnTo }) }, ...withPassword]
      await sendPage(reply, 401, 'You have signed out', 'Sign in to see this page.', links)
    },
  }

  function sendSignInError(error: unknown, { log }: FastifyRequest, reply: FastifyReply, returnTo: string) {
    if (!(error instanceof SignInError)) throw error
    log.warn({ err: error }, 'A sign-in failed')
    const links = [{ text: 'Sign in again', href: paths.signIn({ to: returnTo }) }, ...withPassword]
    return sendPage(reply, error.status, 'You are not signed in', error.message, links)
  }
}

const bearer = { 'www-authenticate': 'Bearer realm="Sixpane"' }

function sendPage(
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
  links: readonly PageLink[],
) {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(htmlType)
    .send(refusalPage(title, text, links))
}

/** @throws HttpError 400 if the host is not valid */
function originAt(host: string): string {
  const url = `http://${host}`
  if (!URL.canParse(url)) throw new HttpError(400, 'The Host header is missing or not valid')
  return isLoopbackUrl(new URL(url)) ? url : `https://${host}`
}
