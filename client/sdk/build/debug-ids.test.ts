import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { debugIdsIn } from '../reporter/debug-ids.ts'
import { addDebugIds, withDebugId } from './debug-ids.ts'

const id = '85314830-023f-4cf1-a267-535f4e37bb17'

t.test(
  'property: code before the id keeps its positions, and the source map comment stays last',
  async () => {
    const code = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '//# ', 'sourceMappingURL=', '`') })
    fc.assert(
      fc.property(code, body => {
        const comment = '//# sourceMappingURL=main.js.map'
        const result = withDebugId(`${body}\n${comment}\n`, id)
        return result.startsWith(`${body}\n;`) && result.endsWith(`\n//# debugId=${id}\n${comment}\n`)
      }),
    )
  },
)

t.test('text that looks like a source map comment is not moved', async t => {
  const code = 'const map = name => `\n//# sourceMappingURL=` + name\na()'
  t.ok(withDebugId(code, id).startsWith(`${code}\n;`))
})

t.test('a running file registers its id, which is the same in identical builds', async t => {
  const files = { 'main.cjs': '"use strict"\nthrow new Error("a")', 'main.cjs.map': '{"version":3}' }
  const folder = t.testdir({
    one: { ...files },
    two: { ...files },
    three: { ...files, 'main.cjs.map': '{"version":3,"names":[]}' },
  })
  const ids: (string | undefined)[] = []
  for (const name of ['one', 'two', 'three']) {
    await addDebugIds(join(folder, name))
    await addDebugIds(join(folder, name))
    const code = await readFile(join(folder, name, 'main.cjs'), 'utf8')
    const found = [...code.matchAll(/debugId=(\S+)/g)].map(([, each]) => each)
    t.equal(found.length, 1, 'a second run changes nothing')
    t.equal(JSON.parse(await readFile(join(folder, name, 'main.cjs.map'), 'utf8')).debugId, found[0])
    ids.push(found[0])
  }
  t.equal(ids[0], ids[1])
  t.not(ids[0], ids[2])

  const running = join(folder, 'one', 'running.cjs')
  await writeFile(running, withDebugId('"use strict"', id))
  const program = `require(${JSON.stringify(running)}); console.log(JSON.stringify(globalThis._debugIds))`
  const registered = JSON.parse(spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' }).stdout)
  Reflect.set(globalThis, '_debugIds', registered)
  t.teardown(() => Reflect.deleteProperty(globalThis, '_debugIds'))
  t.same(debugIdsIn(`Error: a\n    at f (${running}:1:1)`), { [running]: id })
  t.equal(debugIdsIn('Error: a\n    at f (/other.js:1:1)'), undefined)
})

t.test('property: any value of _debugIds is harmless', async t => {
  t.teardown(() => Reflect.deleteProperty(globalThis, '_debugIds'))
  fc.assert(
    fc.property(fc.anything(), fc.string(), (value, stack) => {
      Reflect.set(globalThis, '_debugIds', value)
      debugIdsIn(stack)
    }),
  )
})
