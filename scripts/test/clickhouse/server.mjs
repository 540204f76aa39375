/**
 * Serves the part of ClickHouse's HTTP interface (https://clickhouse.com/docs/interfaces/http) that the official client
 * uses, with chDB as the engine. Prints its port as JSON.
 *
 *   node server.mjs <data folder> [port] [server | cluster] [chDB argument…]
 *
 * With `cluster`, the configuration has clusters with one and two shards. Each shard is this server.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Session } from 'chdb'

const [folder = '.', port = '0', kind = 'server', ...chdbArguments] = process.argv.slice(2)
/** The default of ClickHouse's `http_max_field_value_size` setting, which chDB does not apply. */
const maxFieldBytes = 128 * 1024
/**
 * Settings belong to a session, so each session runs one statement at a time. More sessions than a page needs, because
 * changing the settings of a session takes as long as a short query.
 */
const maxSessions = 16
const options = { connectionArgs: [...(kind === 'cluster' ? clusterArguments() : []), ...chdbArguments] }
/**
 * A session, its database, and its settings and parameters. A value is `null` if it is unknown.
 * @typedef {{ session: Session, database: string, settings: Map<string, string | null> }} Connection
 */
/** @type {Connection[]} */
const idle = Array.from({ length: maxSessions }, () => ({
  session: new Session(folder, options),
  database: 'default',
  settings: new Map(),
}))
/** @type {((connection: Connection) => void)[]} */
const waiting = []
const notSettings = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'compress'])
// These parameters are not settings of chDB, could not be reset, or would make chDB connect to itself.
for (const name of ['wait_end_of_query', 'readonly', 'prefer_localhost_replica']) notSettings.add(name)

/**
 * Returns the arguments that configure the clusters. Nothing needs to listen on their port, because ClickHouse does not
 * connect to itself.
 */
function clusterArguments() {
  const shard = '<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>'
  const clusters = `<one>${shard}</one><two>${shard}${shard}</two>`
  const config = join(folder, 'cluster.xml')
  writeFileSync(
    config,
    `<clickhouse><tcp_port>9000</tcp_port><remote_servers>${clusters}</remote_servers></clickhouse>`,
  )
  return [`--config-file=${config}`]
}

/**
 * Removes the cluster and the replication from a statement. chDB has no Keeper, so it can create tables only on this
 * server and without replicas.
 * @param {string} query
 */
function withoutKeeper(query) {
  if (kind !== 'cluster' || !/^(CREATE|ALTER|TRUNCATE)/.test(query)) return query
  return query
    .replace(/ON CLUSTER `\w+`/, '')
    .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(, )?/, '$1(')
}

/** @param {string} text */
const quote = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Replaces parameters outside string literals with their values, as ClickHouse does, because setting parameters would take
 * longer than many statements. Values with escape sequences are left to ClickHouse.
 * @param {string} query
 * @param {URLSearchParams} params
 */
function withPlainValues(query, params) {
  return query.replace(/'(?:[^'\\]|\\.)*'|\{(\w+):([^}]+)\}/gs, (match, name, type) => {
    const value = params.get(`param_${name}`)
    return value === null || !isPlain(value) ? match : `_CAST(${quote(value)}, ${quote(type)})`
  })
}

/** @param {string} value */
const isPlain = value => !value.includes('\\')

/** @param {URLSearchParams} params */
function settingsOf(params) {
  const isSetting = (/** @type {string} */ name, /** @type {string} */ value) =>
    name.startsWith('param_') ? !isPlain(value) : !notSettings.has(name)
  return new Map([...params].filter(([name, value]) => isSetting(name, value)))
}

/**
 * Waits for an idle session. Prefers one that already has these settings, and otherwise the least recently used one.
 * @param {Map<string, string>} settings
 * @returns {Promise<Connection>}
 */
async function takeConnection(settings) {
  const index = idle.findLastIndex(connection => assignments(connection, settings).length === 0)
  const [connection] = idle.splice(Math.max(index, 0), 1)
  return connection ?? new Promise(resolve => waiting.push(resolve))
}

/** @param {Connection} connection */
function returnConnection(connection) {
  const next = waiting.shift()
  if (next === undefined) idle.push(connection)
  else next(connection)
}

/**
 * Applies the database and the settings of a request to a session, with as few statements as possible.
 * @param {Connection} connection
 * @param {string} database
 * @param {Map<string, string>} settings
 */
async function configure(connection, database, settings) {
  const { session } = connection
  if (connection.database !== database) await session.queryAsync(`USE \`${database}\``)
  connection.database = database
  const changes = assignments(connection, settings)
  if (changes.length === 0) return
  // Until the statement succeeds, the values are unknown.
  connection.settings = new Map([...connection.settings.keys(), ...settings.keys()].map(name => [name, null]))
  await session.queryAsync(`SET ${changes.join(', ')}`)
  connection.settings = settings
}

/**
 * Returns the assignments that apply these settings to a session, and reset all others to their defaults.
 * @param {Connection} connection
 * @param {Map<string, string>} settings
 */
function assignments({ settings: current }, settings) {
  const changed = [...settings].filter(([name, value]) => current.get(name) !== value)
  const removed = [...current.keys()].filter(name => !settings.has(name) && !name.startsWith('param_'))
  return [
    ...changed.map(([name, value]) => `${name} = ${quote(value)}`),
    ...removed.map(name => `${name} = DEFAULT`),
  ]
}

/**
 * @param {Connection} connection
 * @param {Map<string, string>} settings
 * @param {URLSearchParams} params
 * @param {string} query
 */
async function run(connection, settings, params, query) {
  await configure(connection, params.get('database') ?? 'default', settings)
  const format = params.get('default_format') ?? 'TabSeparated'
  const result = await connection.session.queryAsync(withPlainValues(withoutKeeper(query), params), {
    format,
  })
  return result.bytes()
}

/**
 * Limits the size of form fields and URL parameters. ClickHouse counts the encoded bytes of a URL parameter. A statement in
 * the request body is not a field.
 * @param {Iterable<string>} values
 */
function checkFields(values) {
  for (const value of values)
    if (Buffer.byteLength(value) > maxFieldBytes)
      throw new Error('Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: Field value too long')
}

/** @param {import('node:http').IncomingMessage} request */
async function readRequest(request) {
  const { search, searchParams: params } = new URL(request.url ?? '/', 'http://localhost')
  checkFields(search.split('&').map(field => field.slice(field.indexOf('=') + 1)))
  const body = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) {
    const query = params.get('query')
    return { params, query: query === null ? body.toString() : `${query}\n${body}` }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields = Array.from(form, ([name, value]) => [name, String(value)])
  checkFields(fields.map(([, value]) => value))
  for (const [name, value] of fields) params.set(name, value)
  return { params, query: params.get('query') ?? '' }
}

const server = createServer(async (request, response) => {
  if (request.url?.startsWith('/ping')) return response.end('Ok.\n')
  try {
    const { params, query } = await readRequest(request)
    const settings = settingsOf(params)
    const connection = await takeConnection(settings)
    try {
      if (!request.socket.destroyed) response.end(await run(connection, settings, params, query))
    } finally {
      returnConnection(connection)
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, code = '1'] = /Code: (\d+)/.exec(message) ?? []
    response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(message)
  }
})

// The default of ClickHouse's `keep_alive_timeout`. With Node's five seconds, a client on a busy machine would send requests on
// connections that are being closed.
server.keepAliveTimeout = 30_000
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }))
})
