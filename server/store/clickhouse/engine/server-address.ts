import { type Cluster, parseCluster } from './cluster.ts'

/** The server's location, and the credentials. */
export type ServerAddress = {
  /** `https:` or `http:`, without credentials. */
  url: string
  database: string
  user: string
  password: string
  /** `null` for a single server. */
  cluster: Cluster | null
}

const parameters: readonly string[] = ['tls', 'cluster', 'quorum']

/**
 * Parses `clickhouse://user:password@host:8443/database`. The `tls=off` parameter disables TLS. The `cluster=name`
 * parameter specifies a cluster. ClickHouse then acknowledges an insert after a majority of the servers have
 * stored its rows, or, with `quorum=2`, after two servers have. Returns `null` if the text is not such an address.
 */
export function parseServerAddress(text: string): ServerAddress | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, pathname, username, password, searchParams, hash } = new URL(text)
  const [database = '', ...rest] = pathname.split('/').slice(1).map(decode)
  if (protocol !== 'clickhouse:' || hostname === '' || rest.length > 0 || hash !== '') return null
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(database)) return null
  const names = [...searchParams.keys()]
  if (new Set(names).size !== names.length || names.some(name => !parameters.includes(name))) return null
  const cluster = parseCluster(searchParams.get('cluster'), searchParams.get('quorum'))
  if (cluster === undefined) return null
  const isSecure = searchParams.get('tls') !== 'off'
  return {
    url: `${isSecure ? 'https' : 'http'}://${hostname}:${port === '' ? (isSecure ? 8443 : 8123) : port}`,
    database,
    user: username === '' ? 'default' : decode(username),
    password: decode(password),
    cluster,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
