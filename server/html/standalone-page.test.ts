import { createHash } from 'node:crypto'
import t from 'tap'
import { standaloneContent, standaloneStyleSource } from './standalone-page.ts'

t.test('the Content-Security-Policy allows the inline style of the page', async t => {
  const style = /<style>(.*?)<\/style>/s.exec(standaloneContent(''))?.[1] ?? ''
  t.equal(standaloneStyleSource, `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
})
