/** Compares the errors that Node.js prints for a minified build with the same errors from a logger. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import t from 'tap'
import { createClean } from '../../server/events/clean.ts'
import { createNormalise } from '../../server/events/normalise.ts'
import { fingerprint } from '../../server/grouping/fingerprint.ts'
import { createJoiner } from './join-lines.ts'
import { textToSend } from './to-send.ts'

const program = `
import { writeFileSync } from 'node:fs'
class PaymentError extends Error {
  constructor(message, options) { super(message, options); this.name = 'PaymentError' }
}
class CardDeclined extends PaymentError { constructor(message) { super(message); this.name = 'CardDeclined' } }
class FieldError extends Error { name = 'FieldError' }
class StaticError extends Error { static { this.prototype.name = 'StaticError' } }
class CodeError extends Error { name = 'PaymentError'; code = 'ERR_CARD' }
class ManyError extends AggregateError { name = 'ManyError' }
class PlainError extends Error {}
const errors = {
  constructor: () => new PaymentError('card declined'),
  chain: () => new CardDeclined('no funds'),
  field: () => new FieldError('card declined'),
  static: () => new StaticError('card declined'),
  code: () => new CodeError('card declined'),
  plain: () => new PlainError('card declined'),
  cause: () => new PaymentError('card declined', { cause: new FieldError('no funds') }),
  many: () => new ManyError([new PaymentError('a'), new FieldError('b')], 'all failed'),
  properties: () => Object.assign(new PaymentError('card declined'), { status: 402, digest: '2338471' }),
  lines: () => new PaymentError('card declined\\nby the bank'),
  empty: () => new PaymentError(''),
  base: () => Object.assign(new Error('card declined'), { name: 'PaymentError' }),
}
const [, , kind, how, file] = process.argv
const error = errors[kind]()
writeFileSync(file, JSON.stringify({ type: error.name, message: error.message, stack: error.stack }))
if (how === 'throw') throw error
if (how === 'reject') void Promise.reject(error)
if (how === 'log') console.error(error)
if (how === 'prefix') console.error(' ⨯', error)
if (how === 'text') console.error('Failed to charge:', error)
`
const kinds = ['constructor', 'chain', 'field', 'static', 'code', 'plain', 'cause', 'many', 'properties']
kinds.push('lines', 'empty', 'base')
/** Returns the ways to print this kind of error: all of them for `constructor`, the two common ones for every other kind. */
const waysOf = (kind: string) =>
  kind === 'constructor' ? ['throw', 'reject', 'log', 'prefix', 'text'] : ['throw', 'log']

const normalise = createNormalise(createClean([]), {
  fingerprint: (exception, fallback = { body: '', route: null }) => fingerprint(exception, fallback),
})

/** Converts the printed text to events. */
function eventsOf(text: string) {
  const sent: string[] = []
  const joiner = createJoiner(joined => {
    const event = textToSend(joined, { service: 'shop', release: null })
    if (event !== null) sent.push(event)
  })
  for (const line of text.split('\n')) joiner.push({ text: line, position: 0, timeMs: Date.now() })
  joiner.flush()
  return sent.map(event => normalise(JSON.parse(event), 'stdin', Date.now()))
}

t.test('an error printed by minified code matches the same error from a logger', async t => {
  const folder = t.testdir({ 'app.js': program })
  const app = join(folder, 'app.cjs')
  await build({
    entryPoints: [join(folder, 'app.js')],
    outfile: app,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  })
  t.notMatch(readFileSync(app, 'utf8'), 'class PaymentError', 'class names are minified')
  for (const kind of kinds) {
    for (const way of waysOf(kind)) {
      const file = join(folder, 'error.json')
      const { stderr } = spawnSync(process.execPath, [app, kind, way, file], { encoding: 'utf8' })
      const err = JSON.parse(readFileSync(file, 'utf8'))
      const events = eventsOf(stderr)
      t.equal(events.length, 1, `${kind}, ${way}: one event`)
      const [event] = events
      const expected = normalise({ level: 50, service: 'shop', err }, 'ndjson', Date.now())
      t.match(event?.exception, { type: err.type, message: err.message }, `${kind}, ${way}: type and message`)
      // The fingerprints of these kinds may differ: Node omits the frames that an error shares with its cause (here, frames
      // of Node itself), and prints the frames of causes, which `error.stack` does not contain. For an error without a
      // message, the fingerprint depends on the event's text.
      if (!['cause', 'many', 'empty'].includes(kind))
        t.equal(event?.fingerprint, expected.fingerprint, `${kind}, ${way}: fingerprint`)
      t.ok(event?.exception?.stack?.includes('app.cjs:'), `${kind}, ${way}: stack`)
    }
  }
})

t.test('finds the error below the source line of a large bundle', async t => {
  const source = `var a="${'y'.repeat(90_000)}";throw new Error("TypeError: "+a)`
  for (const caret of ['   ^', ' '.repeat(1020)]) {
    const events = eventsOf(
      `/app/dist/app.cjs:1\n${source}\n${caret}\n\nn [PaymentError]: card declined\n    at f (/app/dist/app.cjs:1:2)\n\nNode.js v22.1.0`,
    )
    t.match(events, [{ severity: 'fatal', exception: { type: 'PaymentError', message: 'card declined' } }])
    t.equal(events.length, 1)
  }
})
