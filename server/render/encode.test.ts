import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { chooseEncoding, encode } from './encode.ts'

t.test('chooses the first supported encoding that the visitor accepts', async t => {
  const cases: [string | undefined, string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['br ; q=0.0,gzip', 'gzip'],
    ['brotli', 'identity'],
    ['x-gzip', 'identity'],
  ]
  for (const [header, expected] of cases) t.equal(chooseEncoding(header), expected, String(header))
})

t.test('the body round-trips through each encoding', async t => {
  const body = Buffer.from('<p>ünï</p>'.repeat(1000))
  t.same(brotliDecompressSync(encode(body, 'br')), body)
  t.same(gunzipSync(encode(body, 'gzip')), body)
  t.equal(encode(body, 'identity'), body)
})
