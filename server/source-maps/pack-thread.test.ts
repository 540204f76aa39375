/** Uploads source maps to the built server, because only the build contains `pack-thread.js`. */
import t from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'

const server = await startServer()
t.teardown(() => server.stop())

const upload = async (map: object) => {
  const url = `${server.origin}${paths.sourceMaps()}?release=1&path=main.js`
  const response = await fetch(url, { method: 'PUT', body: JSON.stringify(map) })
  return { status: response.status, body: await response.json() }
}
const large = { version: 3, sources: ['a.ts'], sourcesContent: ['x'.repeat(1_000_000)], mappings: 'AAAA' }

t.test('a thread parses a large source map, which is stored only once', async t => {
  const first = await upload(large)
  t.equal(first.status, 201)
  t.same(await upload(large), { status: 200, body: first.body })
})

t.test('rejects an invalid large source map', async t => {
  t.match(await upload({ ...large, version: 2 }), {
    status: 400,
    body: { message: /Its `version` is not 3/ },
  })
})
