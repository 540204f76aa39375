import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { ConfigError, readConfig } from '../config.ts'
import { openStore } from '../store/conformance/place.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import type { SettingStore } from '../store/setting-store.ts'
import { openSettings } from './service-settings.ts'
import { problemOf, textsOf } from './values.ts'

const dayMs = 86_400_000

async function setUp(t: Test, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(t.testdir(), 'store-'))
  const { settings: store } = await openStore(t, () => ({
    open: options => openDuckDbStore({ folder, ...options }),
  }))
  const said: { level: number; msg: string }[] = []
  const logger = pino({}, { write: line => said.push(JSON.parse(line)) })
  const open = async (own: Record<string, string> = env, from: SettingStore = store, everyMs?: number) => {
    const every = everyMs === undefined ? {} : { everyMs }
    const settings = await openSettings({ store: from, config: readConfig(own), logger, ...every })
    t.teardown(() => settings.stop())
    return settings
  }
  return { store, open, said, logger }
}

t.test(
  'what the environment sets holds until it is changed, then what was changed, in the next process too',
  async t => {
    const { open } = await setUp(t, { LOG_LEVEL: 'warn', SIXPANE_REDACT: 'user.email' })
    const settings = await open()
    t.match(settings.current(), {
      logLevel: 'warn',
      retention: { maxAgeMs: 30 * dayMs },
      redactPaths: ['user.email'],
    })
    t.same(settings.changed(), {})
    const told: unknown[] = []
    settings.onChange(({ logLevel }) => told.push(logLevel))
    await settings.save({ LOG_LEVEL: 'debug', SIXPANE_RETENTION_DAYS: '0.5', SIXPANE_REDACT: '' })
    t.match(settings.current(), {
      logLevel: 'debug',
      retention: { maxAgeMs: dayMs / 2, maxBytes: 10e9 },
      redactPaths: [],
    })
    t.same(told, ['debug'])

    const next = await open({ LOG_LEVEL: 'error' })
    t.same(next.current(), settings.current())
    t.same(next.changed(), { LOG_LEVEL: 'debug', SIXPANE_RETENTION_DAYS: '0.5', SIXPANE_REDACT: '' })
    t.equal(next.environment.logLevel, 'error')
    await next.save({ LOG_LEVEL: 'error' })
    t.equal(next.changed().LOG_LEVEL, undefined, 'what is as the environment says is the environment’s')
  },
)

t.test('what can not be read is not kept, nor what came with it', async t => {
  const { open, store } = await setUp(t)
  const settings = await open()
  await t.rejects(settings.save({ LOG_LEVEL: 'debug', SIXPANE_RETENTION_DAYS: '-1' }), ConfigError)
  t.same(await store.list(), [])
  t.equal(settings.current().logLevel, 'info')
})

t.test('what another version kept does not hold, and the log says so', async t => {
  const { open, store, said } = await setUp(t)
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
  t.match(settings.current(), { logLevel: 'info', retention: { maxAgeMs: 7 * dayMs } })
  t.same(settings.changed(), { SIXPANE_RETENTION_DAYS: '7' })
  t.match(said, [{ level: 40, setting: 'LOG_LEVEL', problem: /Must be one of trace/ }])
})

t.test('another process hears of a change, and goes on through a store that fails', async t => {
  const { open, store, said } = await setUp(t)
  let breaks = false
  let failures = 0
  const list = async () => {
    if (!breaks) return store.list()
    failures += 1
    throw new Error('The disk is gone')
  }
  const here = await open()
  const there = await open({}, { ...store, list }, 1)
  const heard = (level: string) =>
    new Promise<void>(resolve => there.onChange(({ logLevel }) => logLevel === level && resolve()))
  const debug = heard('debug')
  await here.save({ LOG_LEVEL: 'debug' })
  await debug

  breaks = true
  while (failures < 3) await nextTurn()
  t.equal(there.current().logLevel, 'debug', 'what holds goes on to hold')
  t.equal(said.filter(({ msg }) => msg === 'Failed to read the settings anew').length, 1, 'said once')
  breaks = false
  const trace = heard('trace')
  await here.save({ LOG_LEVEL: 'trace' })
  await trace
})

t.test('a change is logged, whichever of the two levels would hide it', async t => {
  const { open, said, logger } = await setUp(t)
  const settings = await open()
  settings.onChange(({ logLevel }) => {
    logger.level = logLevel
  })
  await settings.save({ LOG_LEVEL: 'error' })
  await settings.save({ LOG_LEVEL: 'info' })
  t.match(said, [
    { msg: 'Settings changed', settings: { logLevel: 'error' } },
    { msg: 'Settings changed', settings: { logLevel: 'info' } },
  ])
})

t.test('a typed setting has the bounds of its variable', async t => {
  t.equal(problemOf('SIXPANE_RETENTION_DAYS', '7'), null)
  t.equal(problemOf('SIXPANE_RETENTION_DAYS', '0'), 'Must be a number from 0.01 to 36500')
  t.equal(problemOf('LOG_LEVEL', 'loud'), 'Must be one of trace, debug, info, warn, error, fatal, silent')
})

t.test('settings are written as their variables are', async t => {
  for (const days of ['0.01', '0.07', '7', '36500']) {
    const texts = textsOf(
      readConfig({ SIXPANE_RETENTION_DAYS: days, SIXPANE_RETENTION_GB: days, SIXPANE_REDACT: 'a, b' }),
    )
    t.same(texts, {
      LOG_LEVEL: 'info',
      SIXPANE_RETENTION_DAYS: days,
      SIXPANE_RETENTION_GB: days,
      SIXPANE_REDACT: 'a,b',
    })
  }
})
