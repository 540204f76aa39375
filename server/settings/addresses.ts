import { isIP, isIPv4, isIPv6 } from 'node:net'

/** Whether a host is a loopback address or `localhost`. Does not resolve other names. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Like `isLoopback`, for the host of a URL, in which an IPv6 address is enclosed in brackets. */
export function isLoopbackUrl({ hostname }: Pick<URL, 'hostname'>): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/**
 * Returns Sixpane's origin on this machine. Replaces a wildcard address with a loopback address, because not all clients can
 * connect to a wildcard address.
 */
export function localOrigin({ host, port }: { host: string; port: number }): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}

/** Whether a string is an origin of a website, without the default port: `https://shop.example`. */
export function isOrigin(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase()
}

/** Whether a string can identify an OpenID provider. Only a provider on this machine may use http. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const { protocol, search, hash, username } = url
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(url))
  return isSafe && search === '' && hash === '' && username === ''
}

/** Whether a string is an IP address or a CIDR range. Rejects a prefix length of 0, which would match every address. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/')
  const maxBits = isIPv4(address) ? 32 : 128
  const isPrefix = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= maxBits
  return isIP(address) !== 0 && !address.includes('%') && isPrefix && rest.length === 0
}
