import fc from 'fast-check'
import t from 'tap'
import { localPath } from './local-path.ts'

t.test('returns the path and query of a page', async t => {
  t.equal(localPath('/activities?q=severity:error'), '/activities?q=severity:error')
  t.equal(localPath('/a/../development#failure'), '/development')
})

t.test('returns the path of the home page for other sites and invalid paths', async t => {
  const others = [
    '',
    'activities',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example/login',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/.\\\\evil.example',
    '/\t/evil.example',
    '//sixpane.invalid//evil.example',
    '//sixpane.invalid//sixpane.invalid',
  ]
  for (const text of others) t.equal(localPath(text), '/', text)
})

t.test('property: a browser resolves the path to this server', async () => {
  const part = fc.constantFrom('/', '/', '\\', '.', '%2e', '\t', '?', '@', ':', 'evil')
  const text = fc.array(part, { maxLength: 8 }).map(parts => `/${parts.join('')}`)
  const site = 'https://sixpane.example'
  fc.assert(fc.property(text, text => new URL(localPath(text), site).origin === site))
})
