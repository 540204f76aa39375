/**
 * All settings. The configuration, /settings, the runtime settings and the table in docs/settings.md (`npm run docs`) are
 * derived from this table. A new setting needs only a row here and the code that uses it.
 */

import { isIP } from 'node:net'
import { basename, resolve } from 'node:path'
import { dayMs } from '../../shared/duration-units.ts'
import { formatBytes, formatCount, formatDuration } from '../../shared/format.ts'
import { tokenPrefix } from '../../shared/token.ts'
import { logLevels } from '../logger.ts'
import { isAddressRange, isIssuer, isOrigin } from './addresses.ts'
import { type Grant, grants, writeGrants } from './grants.ts'
import { choice, list, mapped, number, type Parsed, text } from './parsers.ts'
import { isRedactPath, maxRedactPaths } from './redact-paths.ts'
import type { RuntimeSetting, Setting } from './setting.ts'
import { describeStore, parseStore } from './store-address.ts'

export const gigabyte = 1e9
const megabyte = 1e6

/** The store's engine does not work well with less memory. */
const minEngineMegabytes = 100

// Defined outside the rows, because TypeScript does not infer the types of generic parsers inside a row.
const parseLogLevel = choice(logLevels, `must be one of ${logLevels.join(', ')}`)
const parseAuth = choice(['', 'none', 'proxy'], 'must be none, proxy or not set')
const parseRoles = grants({ limits: false })
const parseViewers = grants({ limits: true })
const parseHeader = mapped(
  text(name => /^[\w-]+$/.test(name), 'must be the name of a header'),
  name => name.toLowerCase(),
)
// For `localhost`, Fastify would listen on ::1 with a second server, and a shutdown would not wait for its connections.
// URLs cannot contain the zone of an IPv6 address (`fe80::1%eth0`).
const parseHost = mapped(
  text(
    host => host === 'localhost' || (isIP(host) !== 0 && !host.includes('%')),
    'must be an IP address without a zone, or localhost',
  ),
  host => (host === 'localhost' ? '127.0.0.1' : host),
)
const parseSwitch = mapped(choice(['0', '1'], 'must be 0 or 1'), word => word === '1')
const parseEngineMegabytes = number({ min: minEngineMegabytes, max: 1_000_000, unit: megabyte })
const parseOrigins = mapped(
  list({
    isItem: isOrigin,
    problem: 'must be origins such as https://shop.example, without a path or the default port',
  }),
  origins => Object.freeze(origins.map(origin => origin.toLowerCase())),
)

// Browsers and OpenID providers compare origins in lower case.
const parsePublicOrigin = mapped(
  text(
    url => url === '' || isOrigin(url),
    'must be an address such as https://sixpane.example, without a path or the default port',
  ),
  url => url.toLowerCase(),
)

/** Settings that are read once, at startup. */
export const startSettings = {
  host: setting({
    variable: 'HOST',
    defaultText: '127.0.0.1',
    meaning: 'Address to listen on; `localhost` is 127.0.0.1',
    parse: parseHost,
    display: host => host,
  }),
  port: setting({
    variable: 'PORT',
    defaultText: '3000',
    meaning: 'Port to listen on, 0 to 65535',
    parse: number({ min: 0, max: 65_535, isInteger: true }),
    display: String,
  }),
  dataFolder: setting({
    variable: 'SIXPANE_DATA',
    defaultText: './data',
    meaning:
      'Data folder. The `sixpane` command uses `~/.local/share/sixpane` by default, or `sixpane` in `XDG_DATA_HOME`',
    parse: path => ({ value: resolve(path) }),
    // Hides the folder's location from visitors.
    display: path => basename(path),
  }),
  storeAddress: setting({
    variable: 'SIXPANE_STORE',
    defaultText: '',
    meaning:
      'Stores events in a ClickHouse database instead of the data folder: `clickhouse://user:password@host:8443/database`, without TLS if it ends with `?tls=off`. `SIXPANE_STORE_FILE` can name a file that contains this address',
    parse: parseStore,
    display: address => (address === null ? 'not set' : describeStore(address)),
    isSecret: true,
  }),
  password: setting({
    variable: 'SIXPANE_PASSWORD',
    defaultText: '',
    meaning:
      'Password (at least 8 characters) for everything except health checks, browser reports, senders with a token or DSN, and public `/metrics`; HTTP Basic, any user name. `SIXPANE_PASSWORD_FILE` can name a file that contains the password',
    parse: parsePassword,
    display: password => (password === null ? 'not set' : 'set'),
    isSecret: true,
  }),
  auth: setting({
    variable: 'SIXPANE_AUTH',
    defaultText: '',
    meaning:
      '`proxy` reads the user from the headers of a trusted reverse proxy; `none` allows a non-loopback address without sign-in',
    parse: parseAuth,
    display: auth => auth || 'not set',
  }),
  oidcIssuer: setting({
    variable: 'SIXPANE_OIDC_ISSUER',
    defaultText: '',
    meaning: 'Issuer URL of the OpenID provider that users sign in with: `https://sso.example/realms/team`',
    parse: text(
      url => url === '' || isIssuer(url),
      'must be an https address such as https://sso.example/realms/team',
    ),
    display: issuer => issuer || 'not set',
  }),
  oidcClientId: setting({
    variable: 'SIXPANE_OIDC_CLIENT_ID',
    defaultText: '',
    meaning: 'Client ID that the OpenID provider assigned to Sixpane',
    parse: text(() => true, ''),
    display: id => id || 'not set',
  }),
  oidcClientSecret: setting({
    variable: 'SIXPANE_OIDC_CLIENT_SECRET',
    defaultText: '',
    meaning:
      'Client secret from the OpenID provider, at least 16 characters. `SIXPANE_OIDC_CLIENT_SECRET_FILE` can name a file that contains the secret',
    parse: text(secret => secret === '' || secret.length >= 16, 'must have at least 16 characters'),
    display: secret => (secret === '' ? 'not set' : 'set'),
    isSecret: true,
  }),
  admins: setting({
    variable: 'SIXPANE_ADMINS',
    defaultText: '',
    meaning:
      'Administrators, who may change everything: e-mail addresses, domains (`@example.com`), groups or `*`, separated by commas. Requires OpenID Connect or `SIXPANE_AUTH=proxy`',
    parse: parseRoles,
    display: displayGrants,
  }),
  members: setting({
    variable: 'SIXPANE_MEMBERS',
    defaultText: '',
    meaning: 'Members, who may change failures, notes and saved searches, in the same format',
    parse: parseRoles,
    display: displayGrants,
  }),
  viewers: setting({
    variable: 'SIXPANE_VIEWERS',
    defaultText: '',
    meaning:
      'Viewers, who may only read, in the same format; `partners=shop+cart` limits `partners` to two services',
    parse: parseViewers,
    display: displayGrants,
  }),
  proxyUserHeader: setting({
    variable: 'SIXPANE_PROXY_USER_HEADER',
    defaultText: 'Remote-User',
    meaning: 'Header with the user name, if `SIXPANE_AUTH=proxy`',
    parse: parseHeader,
    display: name => name,
  }),
  proxyGroupsHeader: setting({
    variable: 'SIXPANE_PROXY_GROUPS_HEADER',
    defaultText: 'Remote-Groups',
    meaning: 'Header with the user’s groups, separated by commas, if `SIXPANE_AUTH=proxy`',
    parse: parseHeader,
    display: name => name,
  }),
  ingestLimitBytes: setting({
    variable: 'SIXPANE_INGEST_LIMIT_MB',
    defaultText: '16',
    meaning: 'Largest ingest request after decompression, in megabytes',
    parse: number({ min: 0.01, max: 1024, unit: megabyte }),
    display: formatBytes,
  }),
  ingestRequestsPerSecond: setting({
    variable: 'SIXPANE_INGEST_RATE',
    defaultText: '1000',
    meaning: 'Ingest requests per second to each endpoint, per token or (without a token) per client address',
    parse: number({ min: 1, max: 1_000_000, isInteger: true }),
    display: formatCount,
  }),
  publicOrigin: setting({
    variable: 'SIXPANE_PUBLIC_URL',
    defaultText: '',
    meaning:
      'Public URL of Sixpane, for links in webhook messages and the redirect URI for an OpenID provider: `https://sixpane.example`. Without it, the links usually work only on Sixpane’s machine',
    parse: parsePublicOrigin,
    display: origin => origin,
  }),
  browserOrigins: setting({
    variable: 'SIXPANE_BROWSER_ORIGINS',
    defaultText: '',
    meaning:
      'Origins of web applications whose pages may send events, separated by commas: `https://shop.example,https://app.example`',
    parse: parseOrigins,
    display: displayList,
  }),
  trustedProxies: setting({
    variable: 'SIXPANE_TRUST_PROXY',
    defaultText: '',
    meaning:
      'Reverse proxies whose `X-Forwarded-*` headers are trusted, separated by commas: `127.0.0.1,10.0.0.0/8`',
    parse: list({
      isItem: isAddressRange,
      problem: 'must be IP addresses or CIDR ranges such as 10.0.0.0/8',
    }),
    display: displayList,
  }),
  sourceMapsLimitBytes: setting({
    variable: 'SIXPANE_SOURCEMAPS_MB',
    defaultText: '512',
    meaning: 'Disk space for source maps, in megabytes; the oldest uploads are deleted first',
    parse: number({ min: 1, max: 100_000, unit: megabyte }),
    display: formatBytes,
  }),
  engineMemoryBytes: setting({
    variable: 'SIXPANE_ENGINE_MB',
    defaultText: '',
    meaning:
      'Memory limit of DuckDB, in megabytes, at least 100; default: a quarter of the memory of the machine or container, up to 1,074 MB',
    parse: (megabytes): Parsed<number | null> =>
      megabytes === '' ? { value: null } : parseEngineMegabytes(megabytes),
    display: bytes => (bytes === null ? 'not set' : formatBytes(bytes)),
  }),
  metricsArePublic: setting({
    variable: 'SIXPANE_METRICS',
    defaultText: '0',
    meaning:
      '`1` serves `/metrics` without sign-in; otherwise, it requires read access to all services, and is off if nobody has to sign in',
    parse: parseSwitch,
    display: isOn => (isOn ? 'public' : 'with sign-in'),
  }),
  tracesEndpoint: setting({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    defaultText: '',
    meaning:
      'OTLP/HTTP endpoint that receives spans of Sixpane’s requests, renders and queries: `http://collector:4318`',
    parse: text(
      url => url === '' || /^https?:$/.test(protocolOf(url)),
      'must be a URL such as http://collector:4318',
    ),
    display: url => (url === '' ? 'not set' : new URL(url).origin),
  }),
  drill: setting({
    variable: 'SIXPANE_DRILL',
    defaultText: '0',
    meaning: '`1` enables test failures on the Development screen',
    parse: parseSwitch,
    display: isOn => (isOn ? 'on' : 'off'),
  }),
}

/** Settings that users can also change on /settings while the service runs. */
export const runtimeSettings = {
  logLevel: runtimeSetting({
    variable: 'LOG_LEVEL',
    defaultText: 'info',
    meaning: `Minimum level of Sixpane's own log: ${logLevels.join(', ')}`,
    parse: parseLogLevel,
    display: level => level,
    write: level => level,
    section: 'log-level',
  }),
  retentionDays: runtimeSetting({
    variable: 'SIXPANE_RETENTION_DAYS',
    defaultText: '30',
    meaning: 'Events older than this many days are deleted within an hour, and rejected at ingest',
    parse: number({ min: 0.01, max: 36_500 }),
    display: days => formatDuration(days * dayMs),
    write: String,
    section: 'retention',
  }),
  retentionGigabytes: runtimeSetting({
    variable: 'SIXPANE_RETENTION_GB',
    defaultText: '10',
    meaning: 'Disk space for events, in gigabytes; the oldest are deleted first',
    parse: number({ min: 0.01, max: 100_000 }),
    display: gigabytes => formatBytes(gigabytes * gigabyte),
    write: String,
    section: 'retention',
  }),
  redactPaths: runtimeSetting({
    variable: 'SIXPANE_REDACT',
    defaultText: '',
    meaning: 'Additional attribute paths to redact, separated by commas: `user.email,body.card`',
    parse: list({
      isItem: isRedactPath,
      maxItems: maxRedactPaths,
      problem: `must be at most ${maxRedactPaths} paths such as user.email, without brackets, quotes or *`,
    }),
    display: displayList,
    write: paths => paths.join(','),
    section: 'redaction',
  }),
}

export const allSettings = { ...startSettings, ...runtimeSettings }

/** Makes TypeScript infer the value type of a row. */
function setting<V>(row: Setting<V>): Setting<V> {
  return row
}

function runtimeSetting<V>(row: RuntimeSetting<V>): RuntimeSetting<V> {
  return row
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function parsePassword(password: string): Parsed<string | null> {
  if (password === '') return { value: null }
  if (password.length < 8) return { problem: 'must have at least 8 characters' }
  // Sixpane looks up such a secret as a token, so the password would not work while the store is unavailable.
  if (password.startsWith(tokenPrefix)) return { problem: `must not start with ${tokenPrefix}, like a token` }
  return { value: password }
}

function displayGrants(all: readonly Grant[]): string {
  return writeGrants(all) || 'none'
}

function displayList(items: readonly string[]): string {
  return items.join(', ') || 'none'
}
