import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createClean } from './events/clean.ts'
import { createLogger } from './logger.ts'

function logged(write: (loggers: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = []
  const records: object[] = []
  write(
    createLogger({
      level: 'info',
      release: '1.2.3',
      clean: createClean(['user.email']),
      onLine: record => records.push(record),
      output: { write: line => lines.push(line) },
    }),
  )
  for (const line of lines) if (!line.endsWith('}\n')) throw new Error('A log line has no line break')
  return { text: lines.join(''), lines: lines.map(line => JSON.parse(line)), records }
}

t.test('writes lines as JSON and passes the same records on as events', async t => {
  const { lines, records } = logged(({ logger }) => logger.warn({ a: 1 }, 'It is %s', 'late'))
  t.match(lines, [{ level: 40, name: 'sixpane', version: '1.2.3', time: Number, a: 1, msg: 'It is late' }])
  t.same(records, lines)
})

t.test('lines contain no control characters, because a terminal may interpret them', async t => {
  const msg = 'a\u001b[2Jb\u007fc\u009b31md\u009d0;title\u009ce'
  const { text, lines } = logged(({ logger }) => logger.info(msg))
  t.notMatch(text.trimEnd(), /\p{Cc}/u)
  t.match(lines, [{ msg }])
})

t.test('logs errors with their type, stack and causes', async t => {
  const { lines } = logged(({ logger }) => {
    logger.error({ err: new TypeError('outer', { cause: new Error('inner') }) }, 'Failed')
    logger.error(
      { err: { type: 'RangeError', message: 'described', stack: 'RangeError: described' } },
      'Failed',
    )
    logger.error(new SyntaxError('alone'))
    logger.error({ err: 'no error' }, 'Failed')
  })
  t.match(lines[0].err, { type: 'TypeError', message: 'outer: inner', stack: /caused by: Error: inner/ })
  t.match(lines[1].err, { type: 'RangeError', message: 'described', stack: 'RangeError: described' })
  t.match(lines[2], { msg: 'alone', err: { type: 'SyntaxError' } })
  t.equal(lines[3].err, 'no error')
})

t.test('redacts secrets in fields, messages, bindings, errors and prefixes', async t => {
  const secret = 'hunter2hunter2'
  const { lines, records } = logged(({ logger }) => {
    logger.info({ headers: { cookie: secret }, user: { email: secret } }, `token=${secret}`)
    logger.info('Sent Bearer %s', secret)
    logger.child({ password: secret, at: `https://a:${secret}@host` }).info('Begun')
    logger.error(new Error(`No such user: {"password":"${secret}"}`))
    logger.child({}, { msgPrefix: `token=${secret} ` }).info('Prefixed')
  })
  t.equal(lines.length, 5)
  t.notMatch(JSON.stringify([lines, records]), secret)
})

t.test('lines of the internal logger are not stored as events', async t => {
  const { lines, records } = logged(({ internalLogger }) => internalLogger.error('The queue is broken'))
  t.match(lines, [{ level: 50, msg: 'The queue is broken' }])
  t.same(records, [])
})

t.test('process.exit does not lose log lines', async t => {
  const script = `
    import { createLogger } from './logger.ts'
    import { createClean } from './events/clean.ts'
    const { logger } = createLogger({ level: 'info', release: '1', clean: createClean([]), onLine() {} })
    for (let n = 1; n <= 100; n += 1) logger.info({ n }, 'Line')
    process.exit(0)`
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const { stdout } = spawnSync(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], {
    cwd,
    encoding: 'utf8',
  })
  const numbers = stdout
    .trim()
    .split('\n')
    .map((line): number => JSON.parse(line).n)
  // The first line may be written last, because its write is in progress when the process exits.
  t.same(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})

t.test('process.exit does not wait for a reader that is gone', async t => {
  const script = `
    import { createLogger } from './logger.ts'
    import { createClean } from './events/clean.ts'
    const { logger } = createLogger({ level: 'info', release: '1', clean: createClean([]), onLine() {} })
    process.stdin.once('data', () => {
      logger.info('Line')
      process.exit(0)
    })
    process.stderr.write('ready')`
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stderr, 'data')
  child.stdout.destroy()
  child.stdin.write('exit')
  t.same(await once(child, 'exit'), [0, null])
})
