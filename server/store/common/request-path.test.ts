import t from 'tap'
import { pathOfUrl } from './request-path.ts'

t.test('the path of a URL has no origin and no query', async t => {
  const cases: [string, string | null][] = [
    ['/products/17?color=red', '/products/17'],
    ['/products/17#reviews', '/products/17'],
    ['https://shop.example/products?q=/a', '/products'],
    ['HTTP://shop.example:8080/', '/'],
    ['//cdn.example/a', '//cdn.example/a'],
    ['products', null],
    ['[redacted]', null],
    ['', null],
  ]
  for (const [url, path] of cases) t.equal(pathOfUrl(url), path, url)
})
