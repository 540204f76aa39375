import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from './root.mjs'

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }

const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
const packages: Record<string, Entry> = lockfile.packages

t.test('the lockfile serves every machine, whichever it was written on', async t => {
  // npm leaves out what it could not look up, and then `npm ci` refuses the whole file.
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      const places = [`${path}/node_modules/${name}`, `node_modules/${name}`]
      t.ok(
        places.some(place => packages[place]?.version !== undefined),
        `${name} of ${path}`,
      )
    }
  }
})

t.test('the lockfile names no registry', async t => {
  t.same(
    Object.keys(packages).filter(path => packages[path]?.resolved !== undefined),
    [],
  )
})
