import t from 'tap'
import { mapFrame } from './map-frame.ts'
import { readSourceMap } from './source-map.ts'

/** Returns the mapped name of a function in a file whose map has no source text. */
async function nameWithoutText(functionName: string | null, file = '/app/dist/cart.js') {
  const json = { version: 3, sources: ['../src/cart.ts'], mappings: 'AAAA' }
  const { map } = await readSourceMap(Buffer.from(JSON.stringify(json)))
  const frame = { functionName, file, line: 1, column: 1, async: false }
  const mapped = await mapFrame(frame, { map, text: async () => null })
  t.match(mapped, { file: 'src/cart.ts', line: 1, column: 1 })
  return mapped?.functionName
}

t.test('if a map has no source text, frames keep the names that do not look minified', async t => {
  t.equal(await nameWithoutText('loadCart'), 'loadCart')
  t.equal(await nameWithoutText('Cart.total'), 'Cart.total')
  t.equal(await nameWithoutText('new Cart'), 'new Cart')
  t.equal(await nameWithoutText('t.total'), 'total')
  for (const name of ['t', 'e.t', 'new t', 'Cart.t', 'Object.<anonymous>', null])
    t.equal(await nameWithoutText(name), null, String(name))
  t.equal(await nameWithoutText('loadCart', '/app/dist/cart-AB12CD34.js'), null)
})
