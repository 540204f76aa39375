import t from 'tap'
import { digestIntegration } from './sentry.ts'

const { processEvent } = digestIntegration()
const failed = (fields: object) => Object.assign(new Error('failed'), fields)

t.test('adds the digest of an error, or of its cause, as a tag', async t => {
  t.same(processEvent({ tags: { plan: 'pro' } }, { originalException: failed({ digest: '2338471' }) }), {
    tags: { plan: 'pro', digest: '2338471' },
  })
  const wrapped = failed({ cause: failed({ cause: failed({ digest: '4163817072@E352' }) }) })
  t.same(processEvent({}, { originalException: wrapped }), { tags: { digest: '4163817072@E352' } })
})

t.test('leaves other events unchanged', async t => {
  const circular = failed({})
  circular.cause = circular
  for (const originalException of [
    undefined,
    null,
    'text',
    failed({}),
    failed({ digest: 7 }),
    failed({ digest: '' }),
    circular,
  ])
    t.same(processEvent({ tags: { plan: 'pro' } }, { originalException }), { tags: { plan: 'pro' } })
})
