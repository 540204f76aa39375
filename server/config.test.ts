import fc from 'fast-check'
import t from 'tap'
import { ConfigError, readConfig, variables } from './config.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('an empty environment gives the defaults', async t => {
  t.match(readConfig({}), { host: '127.0.0.1', port: 3000, logLevel: 'info', password: null, drill: false })
  t.ok(Object.isFrozen(readConfig({})))
})

t.test('every wrong variable is named at once, and no value is printed', async t => {
  const wrong = {
    HOST: 'no-address!',
    PORT: '70000',
    LOG_LEVEL: 'loud',
    SIXPANE_PASSWORD: 'short',
    SIXPANE_AUTH: 'maybe',
    SIXPANE_DRILL: 'yes',
    SIXPANE_RETENTION_DAYS: '-1',
    SIXPANE_RETENTION_GB: 'much',
    SIXPANE_INGEST_LIMIT_MB: '0',
    SIXPANE_PUBLIC_URL: 'somewhere.test',
    SIXPANE_BROWSER_ORIGINS: 'https://shop.example/cart',
    SIXPANE_SOURCEMAPS_MB: 'plenty',
    SIXPANE_REDACT: 'user[0].email',
  }
  const text = problemsOf(wrong).join('\n')
  for (const [name, value] of Object.entries(wrong)) {
    t.match(text, name)
    if (Number.isNaN(Number(value))) t.notMatch(text, value)
  }
})

t.test('an address other than loopback needs a password or a word that none is wanted', async t => {
  t.match(problemsOf({ HOST: '0.0.0.0' })[0], /SIXPANE_PASSWORD.*SIXPANE_AUTH=none/)
  t.same(problemsOf({ HOST: '0.0.0.0', SIXPANE_PASSWORD: 'long enough' }), [])
  t.same(problemsOf({ HOST: '::', SIXPANE_AUTH: 'none' }), [])
  for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) t.same(problemsOf({ HOST }), [])
})

t.test('origins are read as browsers send them', async t => {
  t.same(
    readConfig({ SIXPANE_BROWSER_ORIGINS: 'https://Shop.example, http://localhost:5173' }).browserOrigins,
    ['https://shop.example', 'http://localhost:5173'],
  )
  t.same(readConfig({}).browserOrigins, [])
  for (const wrong of ['*', 'null', 'shop.example', 'https://shop.example/']) {
    t.match(problemsOf({ SIXPANE_BROWSER_ORIGINS: wrong })[0], /SIXPANE_BROWSER_ORIGINS must be origins/)
  }
})

t.test('paths to redact are names joined by dots', async t => {
  t.same(readConfig({ SIXPANE_REDACT: 'user.email, body.card no,größe' }).redactPaths, [
    'user.email',
    'body.card no',
    'größe',
  ])
  const many = Array.from({ length: 101 }, (_, index) => `a${index}`).join(',')
  for (const wrong of [
    '*.email',
    'user..email',
    '.email',
    'email.',
    "user['email']",
    'x'.repeat(201),
    many,
  ]) {
    t.match(problemsOf({ SIXPANE_REDACT: wrong })[0], /SIXPANE_REDACT must be at most 100 paths/)
  }
})

t.test('whatever the environment holds, it is read or refused', async () => {
  const names = Object.keys(variables)
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), env => {
      problemsOf(env)
    }),
  )
})
