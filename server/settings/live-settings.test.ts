import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openStore } from '../store/conformance/testing.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import type { Listener } from '../store/replicas.ts'
import { ConfigError, readConfig } from './config.ts'
import { openLiveSettings } from './live-settings.ts'
import { formatSettings, problemOf, retentionOf } from './runtime-settings.ts'

const dayMs = 86_400_000

async function setUp(t: Test, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(t.testdir(), 'store-'))
  const stores = await openStore(t, () => ({ open: options => openDuckDbStore({ folder, ...options }) }))
  const { settings: store } = stores
  const logged: { level: number; msg: string }[] = []
  const logger = pino({}, { write: line => logged.push(JSON.parse(line)) })
  const listeners: Listener[] = []
  const onState = (listener: Listener) => {
    listeners.push(listener)
    return () => {}
  }
  const open = (environment: Record<string, string> = env) =>
    openLiveSettings({
      store: { settings: store, replicas: { onState } },
      config: readConfig(environment),
      logger,
    })
  return { store, open, logged, logger, listeners }
}

t.test('a changed setting overrides the environment, even after a restart', async t => {
  const { open } = await setUp(t, { LOG_LEVEL: 'warn', SIXPANE_REDACT: 'user.email' })
  const settings = await open()
  t.match(settings.current(), {
    logLevel: 'warn',
    retentionDays: 30,
    redactPaths: ['user.email'],
  })
  t.same(settings.changed(), {})
  const notified: unknown[] = []
  settings.onChange(({ logLevel }) => notified.push(logLevel))
  await settings.save({ logLevel: 'debug', retentionDays: '0.5', redactPaths: '' })
  t.match(settings.current(), {
    logLevel: 'debug',
    retentionDays: 0.5,
    retentionGigabytes: 10,
    redactPaths: [],
  })
  t.same(retentionOf(settings.current()), { maxAgeMs: dayMs / 2, maxBytes: 10e9 })
  t.same(notified, ['debug'])

  const next = await open({ LOG_LEVEL: 'error' })
  t.same(next.current(), settings.current())
  t.same(next.changed(), { logLevel: 'debug', retentionDays: '0.5', redactPaths: '' })
  t.equal(next.environment.logLevel, 'error')
  await next.save({ logLevel: 'error' })
  t.equal(next.changed().logLevel, undefined, 'a value equal to the environment’s is not stored')
})

t.test('a change by another replica is applied and logged', async t => {
  const { open, logged, listeners } = await setUp(t)
  const [settings, other] = [await open(), await open()]
  const applied: string[] = []
  settings.onChange(({ logLevel }) => applied.push(logLevel))
  await other.save({ logLevel: 'debug' })
  t.equal(settings.current().logLevel, 'info')
  for (const listener of listeners) await listener()
  t.equal(settings.current().logLevel, 'debug')
  t.same(applied, ['debug'])
  t.match(logged.at(-1), { msg: 'Settings changed' })
})

t.test('one invalid change prevents all changes from being stored', async t => {
  const { open, store } = await setUp(t)
  const settings = await open()
  await t.rejects(settings.save({ logLevel: 'debug', retentionDays: '-1' }), ConfigError)
  t.same(await store.list(), [])
  t.equal(settings.current().logLevel, 'info')
})

t.test('a stored setting that this version cannot read is ignored and logged', async t => {
  const { open, store, logged } = await setUp(t)
  await store.save(
    [
      { name: 'LOG_LEVEL', value: 'loud' },
      { name: 'SIXPANE_RETENTION_DAYS', value: '7' },
      { name: 'PORT', value: '1' },
      { name: 'OF_TOMORROW', value: 'x' },
    ],
    0,
  )
  const settings = await open()
  t.match(settings.current(), { logLevel: 'info', retentionDays: 7 })
  t.same(settings.changed(), { retentionDays: '7' })
  t.match(logged, [{ level: 40, setting: 'LOG_LEVEL', problem: /Must be one of trace/ }])
})

t.test('a log level change is logged, even if the old or new level would hide it', async t => {
  const { open, logged, logger } = await setUp(t)
  const settings = await open()
  settings.onChange(({ logLevel }) => {
    logger.level = logLevel
  })
  await settings.save({ logLevel: 'error' })
  await settings.save({ logLevel: 'info' })
  t.match(logged, [
    { msg: 'Settings changed', settings: { logLevel: 'error' } },
    { msg: 'Settings changed', settings: { logLevel: 'info' } },
  ])
})

t.test('describes why the text of a runtime setting is invalid', async t => {
  t.equal(problemOf('retentionDays', '7'), null)
  t.equal(problemOf('retentionDays', '0'), 'Must be a number from 0.01 to 36500')
  t.equal(problemOf('logLevel', 'loud'), 'Must be one of trace, debug, info, warn, error, fatal, silent')
})

t.test('formats settings in the text format of their variables', async t => {
  for (const days of ['0.01', '0.07', '7', '36500']) {
    const formatted = formatSettings(
      readConfig({ SIXPANE_RETENTION_DAYS: days, SIXPANE_RETENTION_GB: days, SIXPANE_REDACT: 'a, b' }),
    )
    t.same(formatted, {
      logLevel: 'info',
      retentionDays: days,
      retentionGigabytes: days,
      redactPaths: 'a,b',
    })
  }
})
