import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createClean } from './events/clean.ts'
import { createLogger } from './logger.ts'

function logged(write: (loggers: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = []
  const offered: object[] = []
  write(
    createLogger({
      level: 'info',
      release: '1.2.3',
      clean: createClean(['user.email']),
      offer: record => offered.push(record),
      output: { write: line => lines.push(line) },
    }),
  )
  for (const line of lines) if (!line.endsWith('}\n')) throw new Error('A line is not ended')
  return { lines: lines.map(line => JSON.parse(line)), offered }
}

t.test('a line goes out as JSON, and the same is offered as an event', async t => {
  const { lines, offered } = logged(({ logger }) => logger.warn({ a: 1 }, 'It is %s', 'late'))
  t.match(lines, [{ level: 40, name: 'sixpane', version: '1.2.3', time: Number, a: 1, msg: 'It is late' }])
  t.same(offered, lines)
})

t.test('an error is told with its type, stack and causes', async t => {
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

t.test('no secret goes out, however it comes in', async t => {
  const secret = 'hunter2hunter2'
  const { lines, offered } = logged(({ logger }) => {
    logger.info({ headers: { cookie: secret }, user: { email: secret } }, `token=${secret}`)
    logger.info('Sent Bearer %s', secret)
    logger.child({ password: secret, at: `https://a:${secret}@host` }).info('Begun')
    logger.error(new Error(`No such user: {"password":"${secret}"}`))
    logger.child({}, { msgPrefix: `token=${secret} ` }).info('Prefixed')
  })
  t.equal(lines.length, 5)
  t.notMatch(JSON.stringify([lines, offered]), secret)
})

t.test('what is aside is no event', async t => {
  const { lines, offered } = logged(({ aside }) => aside.error('The queue is broken'))
  t.match(lines, [{ level: 50, msg: 'The queue is broken' }])
  t.same(offered, [])
})

t.test('lines are on standard output when the process ends at once', async t => {
  const script = `
    import { createLogger } from './logger.ts'
    import { createClean } from './events/clean.ts'
    const { logger } = createLogger({ level: 'info', release: '1', clean: createClean([]), offer() {} })
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
    .map(line => JSON.parse(line).n)
  t.same(
    numbers,
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})
