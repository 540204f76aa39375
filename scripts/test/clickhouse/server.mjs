/**
 * Serves the part of ClickHouse's HTTP interface (https://clickhouse.com/docs/interfaces/http) that the official client
 * uses, with chDB as the engine. Runs queries one after another. Prints its port as JSON.
 *
 *   node server.mjs <data folder> [port] [cluster]
 *
 * With `cluster`, the configuration has clusters with one and two shards. Each shard is this server.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Session } from 'chdb'

const [folder = '.', port = '0', kind = 'server'] = process.argv.slice(2)
const session = new Session(folder, kind === 'cluster' ? { connectionArgs: clusterArguments() } : {})
const notSettings = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'compress'])
// They are not settings of chDB, could not be reset, or would make it connect to itself.
for (const name of ['wait_end_of_query', 'readonly', 'prefer_localhost_replica']) notSettings.add(name)
let queue = Promise.resolve()

/** Nothing listens on the port, because ClickHouse does not connect to itself. */
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
 * chDB has no Keeper, so it can create tables only on this server and without replicas.
 * @param {string} query
 */
function withoutKeeper(query) {
  if (kind !== 'cluster' || !/^(CREATE|ALTER)/.test(query)) return query
  return query
    .replace(/ON CLUSTER `\w+`/, '')
    .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(, )?/, '$1(')
}

/** @param {string} text */
const quote = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * @param {URLSearchParams} params
 * @param {string} query
 */
async function run(params, query) {
  const all = [...params].filter(([name]) => !notSettings.has(name))
  const settings = all.filter(([name]) => !name.startsWith('param_'))
  await session.queryAsync(`USE \`${params.get('database') ?? 'default'}\``)
  if (all.length > 0) {
    await session.queryAsync(`SET ${all.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`)
  }
  try {
    const result = await session.queryAsync(withoutKeeper(query), {
      format: params.get('default_format') ?? 'TabSeparated',
    })
    return result.bytes()
  } finally {
    if (settings.length > 0) {
      await session.queryAsync(`SET ${settings.map(([name]) => `${name} = DEFAULT`).join(', ')}`)
    }
  }
}

/** @param {import('node:http').IncomingMessage} request */
async function readRequest(request) {
  const params = new URL(request.url ?? '/', 'http://localhost').searchParams
  const body = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) {
    const query = params.get('query')
    return { params, query: query === null ? body.toString() : `${query}\n${body}` }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  for (const [name, value] of form) params.set(name, String(value))
  return { params, query: params.get('query') ?? '' }
}

const server = createServer(async (request, response) => {
  if (request.url?.startsWith('/ping')) return response.end('Ok.\n')
  try {
    const { params, query } = await readRequest(request)
    const result = queue.then(() => (request.socket.destroyed ? new Uint8Array() : run(params, query)))
    queue = result.then(
      () => {},
      () => {},
    )
    response.end(await result)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, code = '1'] = /Code: (\d+)/.exec(message) ?? []
    response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(message)
  }
})

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }))
})
