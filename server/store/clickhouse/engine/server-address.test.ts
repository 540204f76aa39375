import fc from 'fast-check'
import t from 'tap'
import { parseServerAddress } from './server-address.ts'

t.test('reads the server, the database and the credentials', async t => {
  t.same(parseServerAddress('clickhouse://app:p%40ss@db.example:9443/logs'), {
    url: 'https://db.example:9443',
    database: 'logs',
    user: 'app',
    password: 'p@ss',
    cluster: null,
  })
  t.match(parseServerAddress('clickhouse://127.0.0.1/logs?tls=off'), {
    url: 'http://127.0.0.1:8123',
    user: 'default',
    password: '',
  })
  t.match(parseServerAddress('clickhouse://[::1]/logs'), { url: 'https://[::1]:8443' })
})

t.test('reads the cluster and the quorum', async t => {
  const clusterOf = (parameters: string) =>
    parseServerAddress(`clickhouse://db.example/logs?${parameters}`)?.cluster
  t.same(clusterOf('cluster=main'), { name: 'main', quorum: 'auto' })
  t.same(clusterOf('cluster=main&quorum=auto'), { name: 'main', quorum: 'auto' })
  t.same(clusterOf('quorum=3&tls=off&cluster=us-east.1'), { name: 'us-east.1', quorum: 3 })
})

t.test('rejects invalid addresses', async t => {
  for (const text of [
    './data',
    'https://db.example/logs',
    'clickhouse://db.example',
    'clickhouse://db.example/',
    'clickhouse://db.example/logs/more',
    'clickhouse://db.example/my-logs',
    'clickhouse://db.example/logs?tsl=off',
    'clickhouse://db.example/logs?cluster=a&cluster=b',
    'clickhouse://db.example/logs?cluster=',
    "clickhouse://db.example/logs?cluster=a'b",
    'clickhouse://db.example/logs?quorum=2',
    'clickhouse://db.example/logs?cluster=a&quorum=1',
    'clickhouse://db.example/logs?cluster=a&quorum=all',
    'clickhouse://db.example/logs#part',
  ])
    t.equal(parseServerAddress(text), null, text)
})

t.test('never throws, and never shows the password in the URL', async t => {
  fc.assert(
    fc.property(fc.string(), text => {
      parseServerAddress(text)
      parseServerAddress(`clickhouse://${text}@db.example/logs`)
    }),
  )
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), password => {
      const address = parseServerAddress(`clickhouse://app:${encodeURIComponent(password)}@db.example/logs`)
      t.equal(address?.password, password)
      t.equal(address?.url, 'https://db.example:8443')
    }),
  )
})
