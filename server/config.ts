import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Everything that the environment decides, read once and frozen. */
export type Config = Readonly<{
  host: string
  port: number
  /** Folder of the store, absolute. */
  dataFolder: string
  logLevel: LogLevel
  /** `null` where no password is asked for. */
  password: string | null
  drill: boolean
  retention: Readonly<{ maxAgeMs: number; maxBytes: number }>
  /** Dotted paths that are redacted besides the built-in names. */
  redactPaths: readonly string[]
  /** Largest body of an ingest request after decompression. */
  ingestLimitBytes: number
  /** Scheme and host under which people open the console, without a trailing slash: for the links in webhooks. */
  publicOrigin: string
  /** Origins of web applications whose browsers may send events: `https://shop.example`. */
  browserOrigins: readonly string[]
  /** Addresses and CIDR ranges of reverse proxies: `X-Forwarded-*` headers are accepted from these only. */
  trustedProxies: readonly string[]
  /** Most disk that uploaded source maps take. */
  sourceMapsLimitBytes: number
  /** A render that takes longer becomes the failure page. */
  renderDeadlineMs: number
}>

/** Names every wrong variable at once. Values are never printed: one of them may be a secret in the wrong place. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** The variables, what each means and what it is when left out: the table in the README is tested against it. */
export const variables = {
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on' },
  PORT: { fallback: '3000', meaning: 'Port to listen on, 0 to 65535' },
  SIXPANE_DATA: { fallback: './data', meaning: 'Folder of the store' },
  LOG_LEVEL: { fallback: 'info', meaning: `One of ${logLevels.join(', ')}` },
  SIXPANE_PASSWORD: {
    fallback: '',
    meaning:
      'Password for everything but the probes and what browsers report (HTTP Basic, any user name), at least 8 characters',
  },
  SIXPANE_AUTH: {
    fallback: '',
    meaning: '`none` allows an address other than loopback without a password, behind a proxy that signs in',
  },
  SIXPANE_DRILL: { fallback: '0', meaning: '`1` enables failing on purpose' },
  SIXPANE_RETENTION_DAYS: {
    fallback: '30',
    meaning: 'Events older than this many days are dropped, and refused when they are sent',
  },
  SIXPANE_RETENTION_GB: {
    fallback: '10',
    meaning: 'The oldest events are dropped above this many gigabytes',
  },
  SIXPANE_REDACT: {
    fallback: '',
    meaning: 'More attribute paths to redact, separated by commas: `user.email,body.card`',
  },
  SIXPANE_INGEST_LIMIT_MB: {
    fallback: '16',
    meaning: 'Largest ingest request after decompression, in megabytes',
  },
  SIXPANE_PUBLIC_URL: {
    fallback: '',
    meaning: 'Where people open the console, for the links in webhooks: `https://sixpane.example`',
  },
  SIXPANE_BROWSER_ORIGINS: {
    fallback: '',
    meaning:
      'Origins whose browsers may send events, separated by commas: `https://shop.example,https://app.example`',
  },
  SIXPANE_TRUST_PROXY: {
    fallback: '',
    meaning:
      'Reverse proxies whose `X-Forwarded-*` headers are trusted, separated by commas: `127.0.0.1,10.0.0.0/8`',
  },
  SIXPANE_SOURCEMAPS_MB: {
    fallback: '512',
    meaning: 'The oldest source maps are dropped above this many megabytes',
  },
} as const

type Name = keyof typeof variables

/**
 * Reads the configuration from an environment.
 * @throws ConfigError with one line for each variable that is wrong.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const text = (name: Name) => env[name]?.trim() || variables[name].fallback
  const wrong = (name: Name, what: string) => {
    problems.push(`${name} ${what}`)
  }
  const number = (name: Name, least: number, most: number, whole = false) => {
    const value = Number(text(name))
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
      wrong(name, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`)
    }
    return value
  }

  const host = text('HOST')
  if (host !== 'localhost' && isIP(host) === 0) wrong('HOST', 'must be an IP address or localhost')

  const logLevel = logLevels.find(level => level === text('LOG_LEVEL')) ?? 'info'
  if (logLevel !== text('LOG_LEVEL')) wrong('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`)

  // Not trimmed and not printed: a password may begin or end with a space.
  const password = env.SIXPANE_PASSWORD || null
  if (password !== null && password.length < 8) wrong('SIXPANE_PASSWORD', 'must have at least 8 characters')

  const auth = text('SIXPANE_AUTH')
  if (auth !== '' && auth !== 'none') wrong('SIXPANE_AUTH', 'must be none or left out')
  if (!isLoopback(host) && password === null && auth !== 'none') {
    problems.push(
      'HOST is not a loopback address: set SIXPANE_PASSWORD, or SIXPANE_AUTH=none where a proxy in front signs visitors in',
    )
  }

  const drill = text('SIXPANE_DRILL')
  if (drill !== '0' && drill !== '1') wrong('SIXPANE_DRILL', 'must be 0 or 1')

  const list = (name: Name) =>
    text(name)
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== '')
  const browserOrigins = list('SIXPANE_BROWSER_ORIGINS')
  if (!browserOrigins.every(isOrigin)) {
    wrong('SIXPANE_BROWSER_ORIGINS', 'must be origins such as https://shop.example, without a path')
  }

  const trustedProxies = list('SIXPANE_TRUST_PROXY')
  if (!trustedProxies.every(isAddressRange)) {
    wrong('SIXPANE_TRUST_PROXY', 'must be IP addresses or CIDR ranges such as 10.0.0.0/8')
  }

  const redactPaths = list('SIXPANE_REDACT')
  if (redactPaths.length > mostRedactPaths || !redactPaths.every(isRedactPath)) {
    wrong(
      'SIXPANE_REDACT',
      `must be at most ${mostRedactPaths} paths such as user.email, without brackets, quotes or *`,
    )
  }

  const port = number('PORT', 0, 65535, true)
  const publicUrl = text('SIXPANE_PUBLIC_URL')
  if (publicUrl !== '' && !isOrigin(publicUrl)) {
    wrong('SIXPANE_PUBLIC_URL', 'must be an address such as https://sixpane.example, without a path')
  }

  const config: Config = {
    host,
    port,
    dataFolder: resolve(text('SIXPANE_DATA')),
    logLevel,
    password,
    drill: drill === '1',
    retention: Object.freeze({
      maxAgeMs: number('SIXPANE_RETENTION_DAYS', 0.01, 36_500) * 86_400_000,
      maxBytes: number('SIXPANE_RETENTION_GB', 0.01, 100_000) * 1e9,
    }),
    redactPaths: Object.freeze(redactPaths),
    ingestLimitBytes: number('SIXPANE_INGEST_LIMIT_MB', 0.01, 1024) * 1e6,
    publicOrigin: publicUrl || `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    browserOrigins: Object.freeze(browserOrigins.map(each => each.toLowerCase())),
    trustedProxies: Object.freeze(trustedProxies),
    sourceMapsLimitBytes: number('SIXPANE_SOURCEMAPS_MB', 1, 100_000) * 1e6,
    renderDeadlineMs: 10_000,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

export const mostRedactPaths = 100

/** Whether a text is names joined by dots; what other tools write as `user[*].email` would match nothing. */
export function isRedactPath(text: string): boolean {
  return text.length <= 200 && /^[^.,[\]*"'\p{Cc}]+(?:\.[^.,[\]*"'\p{Cc}]+)*$/u.test(text)
}

/** Whether a host name or address is loopback for certain: no other name is, whatever it resolves to. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether a text is an IP address or a CIDR range. A prefix of 0 would trust everybody and is refused. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/')
  const mostBits = isIPv4(address) ? 32 : 128
  const isPrefix = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= mostBits
  return isIP(address) !== 0 && !address.includes('%') && isPrefix && rest.length === 0
}

export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text.toLowerCase()
}
