import fc from 'fast-check'
import t from 'tap'
import { joinUrl, splitUrl } from './split-url.ts'

t.test('splits a URL at its first question mark', async t => {
  const split = (url: string) => {
    const { path, params } = splitUrl(url)
    return [path, [...params]]
  }
  t.same(split('/activities'), ['/activities', []])
  t.same(split('/development?q=why?&state=all'), [
    '/development',
    [
      ['q', 'why?'],
      ['state', 'all'],
    ],
  ])
  t.same(split('/settings?a\nb'), ['/settings', [['a\nb', '']]])
})

t.test('joins what it split', async () => {
  const pairs = fc.array(fc.tuple(fc.string(), fc.string()))
  fc.assert(
    fc.property(pairs, each => {
      const { path, params } = splitUrl(joinUrl('/', new URLSearchParams(each)))
      return path === '/' && JSON.stringify([...params]) === JSON.stringify(each)
    }),
  )
})
