import fc from 'fast-check'
import t from 'tap'
import { ConfigError, readConfig } from './config.ts'
import { describeStore, parseStore } from './store-address.ts'

t.test('an empty setting selects DuckDB, and an address selects a ClickHouse database', async t => {
  t.equal(readConfig({}).storeAddress, null)
  t.equal(readConfig({ SIXPANE_STORE: ' ' }).storeAddress, null)
  t.equal(describeStore(null), 'DuckDB')
  const { storeAddress } = readConfig({ SIXPANE_STORE: ' clickhouse://app:pass@db.example/logs?tls=off\n' })
  t.match(storeAddress, { url: 'http://db.example:8123', database: 'logs', user: 'app', password: 'pass' })
  t.equal(describeStore(storeAddress), 'ClickHouse at db.example:8123, database logs')
})

t.test('reads the address from a file', async t => {
  const folder = t.testdir({ store: 'clickhouse://app:pass@[::1]:9440/logs\n' })
  const { storeAddress } = readConfig({ SIXPANE_STORE_FILE: `${folder}/store` })
  t.equal(describeStore(storeAddress), 'ClickHouse at [::1]:9440, database logs')
  t.equal(storeAddress?.password, 'pass')
})

t.test('explains the format of valid addresses', async t => {
  const problemOf = (SIXPANE_STORE: string) => {
    try {
      readConfig({ SIXPANE_STORE })
      return null
    } catch (error) {
      return error instanceof ConfigError ? error.message : error
    }
  }
  for (const folder of [
    './data',
    '/srv/data',
    'data',
    'C:\\data',
    'file:///srv/data',
    'https://db.example/logs',
  ])
    t.match(problemOf(folder), /^SIXPANE_STORE must be .*For a folder, set SIXPANE_DATA/, folder)
  for (const wrong of [
    'clickhouse://app:pa/ss@db.example/logs',
    'clickhouse://app:1#2@db.example/logs',
    'clickhouse://app:1?2@db.example/logs',
    'clickhouse://db.example',
    'clickhouse://db.example/logs?tls=maybe&more',
  ])
    t.match(problemOf(wrong), /^SIXPANE_STORE must be .*Percent-encode/, wrong)
})

t.test('property: neither the description nor a problem contains the credentials', async () => {
  const part = fc.string({ minLength: 1, unit: 'binary' }).map(text => `\u2603${text}`)
  const encode = fc.constantFrom(encodeURIComponent, (text: string) => text)
  fc.assert(
    fc.property(part, part, encode, (user, password, encode) => {
      const parsed = parseStore(`clickhouse://${encode(user)}:${encode(password)}@db.example/logs`)
      const shown = 'value' in parsed ? describeStore(parsed.value) : parsed.problem
      return !/\u2603|%E2%98%83/i.test(shown)
    }),
  )
})
