import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { passwordPath } from '../../shared/paths.ts'
import { HttpError } from '../http/http-error.ts'
import { trustedAddresses } from '../http/trusted-addresses.ts'
import type { Config } from '../settings/config.ts'
import { grantRole, type Identity, noAccess } from './grant-role.ts'
import type { SignInMethod } from './sign-in-method.ts'

type ProxyConfig = Pick<
  Config,
  'trustedProxies' | 'proxyUserHeader' | 'proxyGroupsHeader' | 'admins' | 'members' | 'viewers' | 'password'
>

/** A reverse proxy authenticates visitors, and sends their names and groups in headers. */
export function proxySignIn(config: ProxyConfig): SignInMethod {
  const { proxyUserHeader, proxyGroupsHeader } = config
  const isTrusted = trustedAddresses(config.trustedProxies)

  /**
   * Ignores the headers unless the connection itself comes from a trusted proxy, because any other client could forge them.
   * @throws HttpError 400 if a header is repeated
   */
  const identityOf = ({ headers, raw, socket }: FastifyRequest): Identity | null => {
    const name = textOf(headers[proxyUserHeader])
    if (name === '' || !isTrusted(socket.remoteAddress)) return null
    for (const header of [proxyUserHeader, proxyGroupsHeader]) rejectRepeated(header, raw)
    const groups = textOf(headers[proxyGroupsHeader]).split(/[,|]/)
    return {
      name,
      email: name.includes('@') ? name : null,
      groups: [name, ...groups.map(group => group.trim()).filter(group => group !== '')],
    }
  }

  return {
    userOf(request) {
      const identity = identityOf(request)
      if (identity === null) return null
      const user = grantRole(identity, config)
      if (user === null) throw new HttpError(403, noAccess(identity))
      return user
    },
    async challenge() {
      const password = config.password === null ? '' : `. To use the password, open ${passwordPath}`
      const message = `Authentication required. The request must come from a proxy in SIXPANE_TRUST_PROXY and contain the header ${proxyUserHeader}, or it must contain a token${password}`
      throw new HttpError(401, message, { 'www-authenticate': 'Bearer realm="Sixpane"' })
    },
  }
}

/**
 * Rejects a repeated header, because a proxy that adds the header instead of replacing it also forwards the client's header,
 * and Node joins the values.
 */
function rejectRepeated(header: string, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const count = rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === header).length
  if (count > 1) {
    const message = `The request contains the header ${header} more than once. Configure the proxy to replace the header instead of adding another one`
    throw new HttpError(400, message)
  }
}

/**
 * Proxies send UTF-8, which Node reads as Latin-1. Returns an empty string for a missing header.
 */
function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? Buffer.from(header, 'latin1').toString().trim() : ''
}
