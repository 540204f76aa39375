import { join } from 'node:path'
import t from 'tap'
import { nearestPackageName } from './package-name.ts'

t.test('finds the name in the nearest package.json', async t => {
  const root = t.testdir({
    'package.json': '{"name":"above"}',
    repository: {
      'package.json': '{"name":"repository"}',
      shop: { 'package.json': '{"name":"shop"}', dist: { 'package.json': '{"type":"module"}' } },
      broken: { 'package.json': '{"name":', dist: {} },
      odd: { 'package.json': '{"name":7}' },
      empty: { 'package.json': '{"name":""}' },
    },
    bare: { dist: {} },
  })
  const repository = join(root, 'repository')
  const cases: [folder: string, name: string | null][] = [
    ['shop/dist', 'shop'],
    ['shop', 'shop'],
    ['.', 'repository'],
    ['broken/dist', 'repository'],
    ['odd', 'repository'],
    ['empty', 'repository'],
    ['missing/dist', 'repository'],
    ['../bare/dist', 'above'],
  ]
  for (const [folder, name] of cases)
    t.equal(await nearestPackageName(join(repository, folder), repository), name, folder)
  const bare = join(root, 'bare')
  t.equal(
    await nearestPackageName(join(bare, 'dist'), bare),
    null,
    'does not search the parents of the working folder',
  )
})
