import t from 'tap'
import { iconPaths } from '../client/components/icon-paths.ts'
import { iconModule } from './icons.mjs'

t.test('icon-paths.ts is up to date', async t => {
  const written = [...(await iconModule()).matchAll(/^ {2}(\w+): '([^']+)',$/gm)].map(([, name, path]) => [
    name,
    path,
  ])
  t.ok(written.length > 20)
  t.same(Object.entries(iconPaths), written)
})
