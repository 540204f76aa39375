import fc from 'fast-check'
import t from 'tap'
import type { SignatureFrame } from './signature.ts'
import { isNear, similarityOf } from './similarity.ts'

/** Parses `function file` entries, innermost first. A function named `-` is anonymous. */
function stack(...frames: string[]): SignatureFrame[] {
  return frames.map(frame => {
    const [name = '', file = ''] = frame.split(' ')
    return { functionName: name === '-' ? null : name, file }
  })
}

const total = stack('total lib/cart.js', 'checkout lib/checkout.js', '- src/server.js')

t.test('a stack with one change in a new build is a near match', async t => {
  const changes: Record<string, SignatureFrame[]> = {
    'the throwing function renamed': stack(
      'sumOf lib/cart.js',
      'checkout lib/checkout.js',
      '- src/server.js',
    ),
    'a caller renamed': stack('total lib/cart.js', 'pay lib/checkout.js', '- src/server.js'),
    'the folder moved': stack('total core/cart.js', 'checkout core/checkout.js', '- src/server.js'),
    'a file renamed': stack('total lib/basket.js', 'checkout lib/checkout.js', '- src/server.js'),
    'a wrapper added': stack(
      'total lib/cart.js',
      'traced lib/trace.js',
      'checkout lib/checkout.js',
      '- src/server.js',
    ),
    'the outer callers lost at an asynchronous call': stack('total lib/cart.js', 'checkout lib/checkout.js'),
  }
  for (const [name, changed] of Object.entries(changes)) {
    t.ok(isNear(total, changed), name)
    t.ok(isNear(changed, total), `${name}, reverted`)
  }
  t.ok(isNear(stack('total app/lib/cart.js'), stack('total src/lib/cart.js')), 'outer folders of one frame')
})

t.test('another bug is not a near match', async t => {
  const others: Record<string, SignatureFrame[]> = {
    'another throwing function in another file': stack(
      'tax lib/rates.js',
      'checkout lib/checkout.js',
      '- src/server.js',
    ),
    'one helper called by another feature': stack(
      'total lib/cart.js',
      'refund admin/refund.js',
      '- src/server.js',
    ),
    'two other functions in the same file': stack('tax lib/cart.js', 'rate lib/cart.js', '- src/server.js'),
    'only the throwing function': stack('total lib/cart.js'),
    'no frames': [],
  }
  for (const [name, other] of Object.entries(others)) t.notOk(isNear(total, other), name)
  t.notOk(isNear([], []), 'no frames at all')
  t.notOk(isNear(stack('GET orders/route.js'), stack('GET users/route.js')), 'one frame in another folder')
  t.notOk(isNear(stack('total lib/cart.js'), stack('tax lib/cart.js')), 'one frame with another function')
  const outer = ['a lib/a.js', 'b lib/b.js', 'c lib/c.js', 'd lib/d.js', 'e lib/e.js']
  t.notOk(
    isNear(
      stack('assert lib/assert.js', 'checkout lib/checkout.js', ...outer),
      stack('assert lib/assert.js', 'refund admin/refund.js', ...outer),
    ),
    'equal outer callers do not outweigh a different caller of a helper',
  )
})

const frame = fc.record({
  functionName: fc.constantFrom(null, 'a', 'b', 'c'),
  file: fc.constantFrom('x/a.js', 'y/a.js', 'x/b.js', 'c.js'),
})
const frames = fc.array(frame, { maxLength: 8 })

t.test('similarity is symmetric, between 0 and 1, and 1 only for equal stacks', async () => {
  fc.assert(
    fc.property(frames, frames, (a, b) => {
      const similarity = similarityOf(a, b)
      const isEqual = a.length > 0 && JSON.stringify(a) === JSON.stringify(b)
      return (
        Math.abs(similarity - similarityOf(b, a)) < 1e-9 &&
        similarity >= 0 &&
        similarity <= 1 + 1e-9 &&
        similarity > 1 - 1e-9 === isEqual &&
        isNear(a, b) === isNear(b, a)
      )
    }),
  )
})
