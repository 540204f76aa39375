import fc from 'fast-check'
import t from 'tap'
import type { Attributes } from '../../shared/event.ts'
import { Fields } from './take.ts'
import { digestInText, findErrorId, takeDigest } from './take-digest.ts'

function take(record: Attributes, isFailure = true) {
  const fields = new Fields(structuredClone(record))
  return { digest: takeDigest(fields, isFailure), rest: fields.rest(new Set()) }
}

t.test('takes the digest from any known field of an error, and leaves other fields unchanged', async t => {
  const digest = '2338471'
  const records: Attributes[] = [
    { digest },
    { digest: 2338471 },
    { err: { digest } },
    { error: { digest } },
    { 'exception.digest': digest },
    { 'error.digest': digest },
    { 'nextjs.digest': digest },
    { next: { digest } },
    { err: { cause: { digest } } },
    { error: { 'cause.digest': digest } },
    { 'err.cause': { digest } },
    { err: { aggregateErrors: [{}, { digest }] } },
    { attributes: { 'exception.digest': digest } },
    { context: { error: { digest } } },
  ]
  for (const record of records) {
    const { digest: taken, rest } = take({ ...record, kept: 1 })
    t.equal(taken, digest, JSON.stringify(record))
    t.notMatch(JSON.stringify(rest), digest)
    t.equal(rest.kept, 1)
  }
  t.equal(take({ err: { cause: { digest: 'inner' }, digest: 'outer' } }).digest, 'outer')
  t.equal(take({ digest: 'CART_FAILED' }).digest, 'CART_FAILED')
  t.equal(take({ digest: '4163817072@E352' }).digest, '4163817072@E352')
})

t.test('finds the error id of a record without a digest, and leaves it in the record', t => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const records: Attributes[] = [
    { errorId: id },
    { error_id: id },
    { eventId: id },
    { 'event.id': id },
    { correlationId: id },
    { err: { errorId: id } },
    { context: { correlation_id: id } },
  ]
  for (const record of records) {
    const fields = new Fields(structuredClone(record))
    t.equal(findErrorId(fields), id, JSON.stringify(record))
    t.same(fields.rest(new Set()), record)
  }
  for (const record of [
    { orderId: id },
    { errorId: 'not an id' },
    { errorId: null },
    { cart: { errorId: id } },
  ])
    t.equal(findErrorId(new Fields(record)), null, JSON.stringify(record))
  t.end()
})

t.test('an error id precedes an event id and a correlation id, wherever they are', async t => {
  const records: [record: Attributes, id: string][] = [
    [{ correlationId: 'C-1', eventId: 'V-1', errorId: 'E-1' }, 'E-1'],
    [{ correlationId: 'C-1', event_id: 'V-1' }, 'V-1'],
    [{ correlationId: 'C-1', err: { errorId: 'E-1' } }, 'E-1'],
    [{ correlationId: 'C-1', errorId: 'not an id' }, 'C-1'],
  ]
  for (const [record, id] of records) t.equal(findErrorId(new Fields(record)), id, JSON.stringify(record))
})

t.test('ignores content digests and digests that do not belong to errors', async t => {
  const hash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const records: Attributes[] = [
    { digest: `sha256:${hash}` },
    { digest: hash },
    { digest: 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=' },
    { digest: 'X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=' },
    { err: { digest: 'NEXT_REDIRECT;replace;/login;307;' } },
    { digest: '' },
    { digest: 'a b' },
    { digest: 'x'.repeat(101) },
    { digest: { weekly: true } },
    { digest: null },
    { image: { digest: '2338471' } },
    { req: { body: { digest: '2338471' } } },
    { 'image.digest': '2338471' },
    { imagedigest: '2338471' },
  ]
  for (const record of records) t.same(take(record), { digest: null, rest: record }, JSON.stringify(record))
  t.same(take({ digest: 'weekly' }, false), { digest: null, rest: { digest: 'weekly' } })
  t.same(take({ digest: '2338471' }, false).digest, '2338471')
  const hashes = [
    '9e107d9d372bb6826bd81d3542a419d6',
    'nhB9nTcrtoJr2B01QqQZ1g',
    'L9ThxnotKPzthJ7hu3bnORuT6xI',
    '16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI',
    'X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DB/+',
  ]
  for (const digest of hashes) {
    t.same(take({ digest }, false), { digest: null, rest: { digest } })
    t.same(take({ digest }, true).digest, digest, 'a failure may have a digest of any length')
  }
})

t.test('finds the digest in text', async t => {
  const texts: Record<string, string | null> = {
    "Error: x\n    at f (a.js:1:2) {\n  digest: '2338471',\n  [cause]: { digest: '5' }\n}": '2338471',
    '{ digest: "4163817072@E352" }': '4163817072@E352',
    '{"err":{"digest":"2338471"}}': '2338471',
    '{"msg":"{\\"digest\\":\\"2338471\\"}"}': '2338471',
    'Application error. Digest: 2338471': '2338471',
    'Digest: 4163817072@E352\nmore': '4163817072@E352',
    'Digest: 0a1b2c3d4e': '0a1b2c3d4e',
    'digest=2338471, again': '2338471',
    "digest: 'sha256:abc', digest: '77777'": '77777',
    'Digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4': null,
    "digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'": null,
    'digest: 25 mails': null,
    'Daily digest: 2338471x': null,
    'WWW-Authenticate: Digest realm="a"': null,
    'image.digest: "2338471"': null,
    'ERROR 2338471': null,
    "digest: 'a b'": null,
    '': null,
  }
  for (const [text, digest] of Object.entries(texts)) t.equal(digestInText(text), digest, text)
})

t.test('property: never throws, and takes linear time for long text', async t => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (text, record) => {
      const copy: Attributes = JSON.parse(JSON.stringify(record))
      const taken = takeDigest(new Fields(copy), true)
      return (taken === null || taken.length <= 100) && (digestInText(text)?.length ?? 0) <= 100
    }),
  )
  for (const seed of ['digest: ', "digest: '", 'digest', '\\', 'digest: "a', 'digest:1', ' '])
    t.equal(digestInText(seed.repeat(1e6 / seed.length)), null, seed)
})
