import { once } from 'node:events'
import { createServer } from 'node:net'
import { causeOf } from '../../shared/cause-of.ts'
import { errorCode } from '../../shared/error-code.ts'
import { isLiveness } from '../../shared/liveness.ts'
import { paths } from '../../shared/paths.ts'
import { localOrigin } from '../settings/addresses.ts'
import type { Config } from '../settings/config.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const check = 'Server'
const timeoutMs = 5000
/** How proxies respond to a visitor who has not signed in: with a redirect to their sign-in page, or an error. */
const signInStatuses: readonly number[] = [302, 303, 307, 401, 403]

/** Checks whether Sixpane is running and ready at its address, or could listen there. */
export async function checkServer({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<{ isRunning: boolean; finding: Finding }> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const probe = (path: string) => fetchJson(localOrigin({ host, port }) + path)
  const live = port === 0 ? null : await probe(paths.livez()).catch(() => null)
  if (live?.isSixpane) {
    const ready = await probe(paths.readyz()).catch(() => null)
    return ready?.status === 200
      ? { isRunning: true, finding: ok(check, `Sixpane is running at ${address} and can read its store`) }
      : {
          isRunning: true,
          finding: problem(
            check,
            `Sixpane is running at ${address}, but cannot read its store. Its log contains the cause`,
          ),
        }
  }
  const refusal = await listenAt(host, port)
  return {
    isRunning: false,
    finding: refusal ?? ok(check, `Sixpane is not running, and can listen on ${address}`),
  }
}

async function listenAt(host: string, port: number): Promise<Finding | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    return null
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      return problem(check, `Another program uses port ${port}. Stop it, or set PORT to another port`)
    if (code === 'EACCES')
      return problem(check, `This user is not allowed to use port ${port}. Set PORT to 1024 or above`)
    if (code === 'EADDRNOTAVAIL')
      return problem(
        check,
        `${host} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all networks`,
      )
    return problem(check, `Sixpane cannot listen on ${host}:${port}: ${causeOf(error)}`)
  }
}

/** Checks whether the public URL leads to Sixpane. */
export async function checkPublicUrl(
  { publicOrigin, hasPublicOrigin, auth }: Pick<Config, 'publicOrigin' | 'hasPublicOrigin' | 'auth'>,
  isRunning: boolean,
): Promise<Finding[]> {
  const name = 'Public URL'
  if (!hasPublicOrigin || !isRunning) return []
  try {
    const { isSixpane, status } = await fetchJson(publicOrigin + paths.livez())
    if (isSixpane) return [ok(name, `${publicOrigin} leads to Sixpane`)]
    // With `proxy`, and possibly with `none`, a proxy authenticates visitors before their requests reach Sixpane.
    if (auth !== '' && signInStatuses.includes(status))
      return [ok(name, `${publicOrigin} leads to a server that requires sign-in (status ${status})`)]
    return [
      problem(
        name,
        `${publicOrigin} leads to another server (status ${status}). Correct SIXPANE_PUBLIC_URL or the proxy`,
      ),
    ]
  } catch (error) {
    return [
      warning(
        name,
        `${publicOrigin} cannot be reached from here: ${causeOf(error)}. Correct SIXPANE_PUBLIC_URL, unless browsers can reach it`,
      ),
    ]
  }
}

async function fetchJson(url: string): Promise<{ status: number; isSixpane: boolean }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
  return { status: response.status, isSixpane: isLiveness(await response.json().catch(() => null)) }
}
