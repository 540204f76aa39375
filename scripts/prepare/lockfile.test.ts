import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from './root.mjs'

type Entry = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
const packages: Record<string, Entry> = lockfile.packages

t.test('the lockfile contains the optional packages of all platforms', async t => {
  // npm may omit packages for other platforms; `npm ci` then rejects the lockfile on those platforms.
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      const paths = [`${path}/node_modules/${name}`, `node_modules/${name}`]
      t.ok(
        paths.some(each => packages[each]?.version !== undefined),
        `${name} of ${path}`,
      )
    }
  }
})

t.test('the lockfile contains no registry URLs', async t => {
  t.same(
    Object.keys(packages).filter(
      path => packages[path]?.resolved !== undefined && packages[path]?.link !== true,
    ),
    [],
  )
})

t.test('the lockfile contains a hash of each package, including those for other platforms', async t => {
  t.same(
    Object.keys(packages).filter(
      path => packages[path]?.version !== undefined && path !== '' && packages[path]?.integrity === undefined,
    ),
    [],
  )
})
