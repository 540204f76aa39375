/** The rules of how Sixpane is built (CONTRIBUTING.md), read from its imports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { paths } from '../shared/paths.ts'
import { screenIds, screens } from '../shared/screens.ts'
import { variables } from './config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

type Import = { from: string; typesOnly: boolean }
type Source = { path: string; text: string; code: string; imports: Import[] }

const sources = ['shared', 'server', 'client', 'scripts'].flatMap(folder =>
  filesIn(folder)
    .filter(path => /\.(tsx?|mjs)$/.test(path))
    .map(readSource),
)
/** What the product is made of: everything but the tests and what only they use. */
const product = sources.filter(
  ({ path }) => !/\.test\.tsx?$|\/testing\.tsx?$|\/testing\/|\/e2e\/|\/conformance\//.test(path),
)

t.test('there is something to hold the rules against', async t => {
  t.ok(product.length > 50)
  t.ok(product.flatMap(source => source.imports).length > 200)
})

t.test('shared/ imports neither side, client/ never the server', async t => {
  const wrong = [
    ...edges(/^shared\//, /^(server|client|scripts)\//),
    ...edges(/^client\//, /^(server|scripts)\//),
  ]
  t.same(wrong, [])
})

t.test('of the client, the server imports the route tree alone, and in render/ alone', async t => {
  const tree = new Set(['client/routes.tsx', 'client/page.ts', 'client/screens/registry.tsx'])
  t.same(
    edges(/^server\//, /^client\//).filter(
      ([from, to]) => !(from?.startsWith('server/render/') && tree.has(String(to))),
    ),
    [],
  )
})

t.test("only the engines' folders hold SQL or know an engine", async t => {
  const sql =
    /['"`]\s*(select\s[^'"`]*\sfrom|insert into|delete from|update \w+ set|create (table|index|view)|alter table)\s/i
  const inEngine = /^server\/store\/[^/]+\//
  t.same(
    pathsWhere(
      ({ path, code }) => /^(server|client|shared)\//.test(path) && !inEngine.test(path) && sql.test(code),
    ),
    [],
  )
  t.same(
    pathsWhere(source => !inEngine.test(source.path) && uses(source, /^@duckdb\//)),
    [],
  )
})

t.test('only render/ knows how React renders to a stream', async t => {
  t.same(
    pathsWhere(source => !source.path.startsWith('server/render/') && uses(source, /^react-dom\/server/)),
    [],
  )
})

t.test("only the configuration reads the process's environment, which main.ts hands it", async t => {
  const reads = pathsWhere(
    ({ path, code }) =>
      /^(server|client|shared)\//.test(path) && /\bprocess\.env\b/.test(withoutStrings(code)),
  )
  // What runs in a connected service has its own way in to the environment: the file that the package exports.
  t.same(
    reads.filter(path => !/^client\/(sdk\/(pino|next)|cli\/main)\.ts$/.test(path)),
    ['server/main.ts'],
  )
})

t.test('only the path builder and the list of screens spell URLs', async t => {
  const words = [
    ...screenIds.map(id => screens[id].path),
    paths.ingest(),
    paths.otlpLogs(),
    paths.otlpTraces(),
    paths.lokiPush(),
    paths.browser(),
    paths.sourceMaps(),
    paths.live(),
    paths.find(),
    paths.export(),
    paths.complete(),
    paths.report(),
    paths.livez(),
    paths.readyz(),
    paths.asset(''),
  ]
  const spelled = new RegExp(`['"\`](${words.filter(path => path !== '/').join('|')})(?=['"\`?#/]|$)`)
  const places = pathsWhere(({ path, code }) => /^(server|client|shared)\//.test(path) && spelled.test(code))
  t.same(
    places.filter(path => !['shared/paths.ts', 'shared/screens.ts'].includes(path)),
    [],
  )
})

t.test('no room of the server calls back into an earlier one', async t => {
  const follows = new Map<string, Set<string>>()
  for (const { path, imports } of product) {
    for (const { from, typesOnly } of imports) {
      const [here, there] = [roomOf(path), roomOf(target(path, from))]
      if (typesOnly || here === null || there === null || here === there) continue
      follows.set(here, (follows.get(here) ?? new Set()).add(there))
    }
  }
  t.ok(follows.size > 2)
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(follows.get(from) ?? [])].some(next => {
      if (next === to) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, to, seen)
    })
  t.same(
    [...follows.keys()].filter(room => reaches(room, room)),
    [],
  )
})

t.test('every style sheet is part of the one that is built', async t => {
  const sheet = readFileSync(join(root, 'client/styles/index.css'), 'utf8')
  const imported = [...sheet.matchAll(/@import "([^"]+)"/g)].map(match =>
    target('client/styles/index.css', String(match[1])),
  )
  const present = filesIn('client').filter(
    path => path.endsWith('.css') && path !== 'client/styles/index.css',
  )
  t.same(imported.toSorted(), present.toSorted())
})

t.test('nothing is left for later in a comment', async t => {
  const others = sources.filter(({ path }) => path !== 'server/rules.test.ts')
  t.same(
    others.filter(({ text }) => /\b(TODO|FIXME)\b/.test(text)).map(({ path }) => path),
    [],
  )
})

t.test('the README tells of every variable as the configuration knows it', async t => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| (.*?) *\|$/gm)].map(
    ([, name, fallback, meaning]) => ({
      name,
      fallback,
      meaning,
    }),
  )
  const known = Object.entries(variables).map(([name, { fallback, meaning }]) => ({
    name,
    fallback: fallback === '' ? '' : `\`${fallback}\``,
    meaning,
  }))
  t.same(rows, known)
})

t.test('the commands that the documents name are there', async t => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...filesIn('docs').filter(path => path.endsWith('.md')),
  ]
  const named = documents.flatMap(path =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)\b/g),
    ].map(match => match[1]),
  )
  t.ok(named.length > 4)
  t.same(
    named.filter(name => scripts[String(name)] === undefined),
    [],
  )
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules' || entry.name === 'next' || entry.name.startsWith('.')) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  const imports = [
    ...code.matchAll(/\b(import|export)\s+(type\s)?([^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/g),
  ].map(([, , type, names = '', from]) => ({
    from: String(from),
    typesOnly: type !== undefined || areTypes(names),
  }))
  const dynamic = [...code.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)].map(([, from]) => ({
    from: String(from),
    typesOnly: false,
  }))
  return { path, text, code, imports: [...imports, ...dynamic] }
}

/** Whether each name of `{ type A, type B } from` is a type. */
function areTypes(names: string): boolean {
  const inBraces =
    /^\{([^}]*)\}\s+from/
      .exec(names)?.[1]
      ?.split(',')
      .map(name => name.trim())
      .filter(Boolean) ?? []
  return inBraces.length > 0 && inBraces.every(name => name.startsWith('type '))
}

function withoutStrings(code: string): string {
  return code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
}

/** The file that `path` names with `from`, or the package. */
function target(path: string, from: string): string {
  return from.startsWith('.') ? relative(root, join(root, dirname(path), from)).replaceAll(sep, '/') : from
}

function edges(from: RegExp, to: RegExp): string[][] {
  return product
    .filter(({ path }) => from.test(path))
    .flatMap(({ path, imports }) => imports.map(each => [path, target(path, each.from)]))
    .filter(([, imported]) => to.test(String(imported)))
}

function uses({ imports }: Source, what: RegExp): boolean {
  return imports.some(({ from }) => what.test(from))
}

function pathsWhere(matches: (source: Source) => boolean): string[] {
  return product.filter(matches).map(({ path }) => path)
}

/** The folder of the server that a file is in; `null` for what all of them stand on, and for other files. */
function roomOf(path: string): string | null {
  return /^server\/([^/]+)\//.exec(path)?.[1] ?? null
}
