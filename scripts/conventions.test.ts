/** Checks code and documentation conventions that the compiler and linter do not check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fakeContext } from '../server/testing/fake-context.ts'
import { createAppWithRoutes } from '../server/testing/registered-routes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const contributing = read('CONTRIBUTING.md')

/** The part of `biome.imports.json` that must match the layer table. */
type LintRules = {
  overrides: {
    includes: string[]
    linter: { rules: { style: { noRestrictedImports: { options?: { patterns: { group: string[] }[] } } } } }
  }[]
}

type Source = { path: string; text: string; code: string }

const sources: Source[] = ['shared', 'server', 'client', 'scripts']
  .flatMap(filesIn)
  .filter(path => /\.(tsx?|mjs)$/.test(path))
  .map(path => {
    const text = read(path)
    return { path, text, code: text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '') }
  })
/** Code that runs in production. */
const product = sources.filter(
  ({ path }) => !/^scripts\/|\.test\.tsx?$|\/testing\.tsx?$|\/testing\/|\/e2e\/|\/conformance\//.test(path),
)

t.test('SQL appears only in the folders of store engines', async t => {
  const sql =
    /['"`]\s*(select\s[^'"`]*\sfrom|insert into|delete from|update \w+ set|create (table|index|view)|alter table)\s/i
  const withSql = product.filter(({ code }) => sql.test(code)).map(({ path }) => path)
  t.ok(withSql.length > 0)
  t.same(
    withSql.filter(path => !/^server\/store\/[^/]+\//.test(path)),
    [],
  )
})

t.test('only programs and the SDK modules read environment variables', async t => {
  const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
  const readers = product.filter(({ code }) => /\bprocess\.env\b/.test(code.replace(strings, "''")))
  t.same(
    readers.map(({ path }) => path).filter(path => !/^client\/(sdk\/|cli\/main\.ts$)/.test(path)),
    ['server/copy.ts', 'server/doctor.ts', 'server/main.ts', 'server/restore.ts'],
  )
})

t.test('only shared/paths.ts and shared/screens.ts contain the URLs of routes', async t => {
  const { app, routes } = await createAppWithRoutes(fakeContext())
  t.teardown(() => app.close())
  const urls = new Set(routes.map(({ url }) => literalPart(url)).filter(url => url.length > 1))
  t.ok(urls.size > 10)
  const urlLiteral = new RegExp(`['"\`](${[...urls].join('|')})(?=['"\`?#/]|$)`)
  t.same(
    product.filter(({ code }) => urlLiteral.test(code)).map(({ path }) => path),
    ['shared/paths.ts', 'shared/screens.ts'],
  )
})

t.test('each Fastify plugin declares its name and the plugins that it uses', async t => {
  const plugins = product.filter(({ code }) => code.includes('fastifyPlugin('))
  t.ok(plugins.length > 10)
  for (const { path, code } of plugins) {
    const [, options = ''] = /fastifyPlugin\(\w+, \{([\s\S]*?)\}\)/.exec(code) ?? []
    t.match(options, /\bname\b/, `${path} declares its name`)
    const routes = /\b(?:fastify|scope)\.(?:get|head|options|post|put|delete)\(|register\(fastifyStatic/
    if (routes.test(code)) t.match(options, /\brouteDependencies\b/, `${path} declares routeDependencies`)
    const usesCookies = withImports(path).some(each => /\.cookies\b|\.setCookie\(/.test(codeOf(each)))
    t.equal(
      options.includes("'@fastify/cookie'"),
      usesCookies,
      `${path} depends on @fastify/cookie only if it uses cookies`,
    )
  }
})

t.test('client/styles/index.css imports every style sheet', async t => {
  const index = 'client/styles/index.css'
  const imported = [...read(index).matchAll(/@import "([^"]+)"/g)].map(([, path]) =>
    posix.join(posix.dirname(index), String(path)),
  )
  const present = filesIn('client').filter(path => path.endsWith('.css') && path !== index)
  t.same(imported.toSorted(), present.toSorted())
})

t.test('no file contains TODO or FIXME', async t => {
  const others = sources.filter(({ path }) => path !== 'scripts/conventions.test.ts')
  t.same(
    others.filter(({ text }) => /\b(TODO|FIXME)\b/.test(text)).map(({ path }) => path),
    [],
  )
})

t.test('npm scripts mentioned in the documents exist', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...filesIn('docs').filter(path => path.endsWith('.md')),
  ]
  const mentioned = documents.flatMap(path =>
    [...read(path).matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)\b/g)].map(([, name]) => name),
  )
  t.ok(mentioned.length > 4)
  t.same(
    mentioned.filter(name => scripts[String(name)] === undefined),
    [],
  )
})

t.test('docs/frameworks.md starts Next.js on a port that Sixpane does not use', async t => {
  const starts = [...read('docs/frameworks.md').matchAll(/\bnext start\b(?: --port \d+)?/g)].map(String)
  t.ok(starts.length > 1)
  t.same(
    starts.filter(command => command !== 'next start --port 3001'),
    [],
  )
})

t.test('no document uses `npx sixpane`, which could download an unrelated package', async t => {
  const documents = ['README.md', 'SECURITY.md', ...filesIn('docs').filter(path => path.endsWith('.md'))]
  t.same(
    documents.filter(path => /\bnpx sixpane\b/.test(read(path))),
    [],
  )
})

t.test('links in the documents lead to existing files and headings', async t => {
  const documents = [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
    ...filesIn('docs').filter(path => path.endsWith('.md')),
  ]
  t.ok(documents.length > 30)
  t.same(
    documents.flatMap(path => brokenLinks(path, read(path))),
    [],
  )
})

t.test('the link check finds missing files and headings', async t => {
  const text = [
    '# `One` & two',
    '# One & [two](../README.md)',
    '```sh',
    '# comment',
    '```',
    '[a](#one--two) [b](#one--two-1) [c](../README.md) [d](decisions) [e](https://missing.test) `[f](missing.md)`',
    '[g](#one--two-2) [h](#comment) [i](missing.md "title") [j](../README.md#missing) [k](../package.json#name)',
  ].join('\n')
  t.same(brokenLinks('docs/example.md', text), [
    'docs/example.md: #one--two-2',
    'docs/example.md: #comment',
    'docs/example.md: missing.md',
    'docs/example.md: ../README.md#missing',
    'docs/example.md: ../package.json#name',
  ])
})

t.test('files mentioned in CONTRIBUTING exist', async t => {
  const mentioned = [...contributing.matchAll(/`((?:shared|server|client|scripts)\/[\w/.-]+\.\w+)`/g)]
  t.ok(mentioned.length > 40)
  t.same(
    mentioned.map(([, path]) => String(path)).filter(path => !existsSync(join(root, path))),
    [],
  )
})

t.test('the map in CONTRIBUTING lists every folder in shared, server, client and scripts', async t => {
  const [, map = ''] = /## Where things live\n+```\n([\s\S]*?)```/.exec(contributing) ?? []
  let parent = ''
  const listed = map.split('\n').flatMap(line => {
    const [, indent, name] = /^( {2})?([\w-]+)\/ /.exec(line) ?? []
    if (name === undefined) return []
    if (indent === undefined) parent = name
    return indent === undefined ? [] : [`${parent}/${name}`]
  })
  const present = ['shared', 'server', 'client', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => `${folder}/${name}`),
  )
  t.same(listed.toSorted(), present.toSorted())
})

t.test('the linter enforces the layers in CONTRIBUTING', async t => {
  const layers = layersInTable()
  const folders = readdirSync(join(root, 'server'), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name)
  const listed = layers.flat()
  t.same(listed.filter(name => !name.endsWith('.ts')).toSorted(), folders.toSorted())

  const { overrides }: LintRules = JSON.parse(read('biome.imports.json'))
  for (const [index, layer] of layers.entries()) {
    // Modules of the last layer may import each other.
    const forbidden = layers.slice(0, index === layers.length - 1 ? index : index + 1).flat()
    for (const name of layer) {
      const own = name.endsWith('.ts') ? [`server/${name}`] : [`server/${name}/**`, `server/${name}/*.ts`]
      const override = overrides.find(({ includes }) =>
        includes.flatMap(expandBraces).some(glob => own.includes(glob)),
      )
      const groups = override?.linter.rules.style.noRestrictedImports.options?.patterns.flatMap(
        ({ group }) => group,
      )
      const inLint = (groups ?? []).flatMap(expandBraces).map(glob => glob.replace(/^\*\*\/|\/\*\*$/g, ''))
      t.same(
        inLint.filter(each => listed.includes(each)).toSorted(),
        forbidden.filter(each => each !== name).toSorted(),
        name,
      )
    }
  }
})

t.test('the linter prevents modules from importing the files that start and stop them', async t => {
  const listed = layersInTable().flat()
  const notInTable = readdirSync(join(root, 'server')).filter(
    name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !listed.includes(name),
  )
  const [, sentence = ''] = /Files that are not in the table \(([^)]*)\)/.exec(contributing) ?? []
  t.same(codeIn(sentence), notInTable.toSorted())

  const { overrides }: LintRules = JSON.parse(read('biome.imports.json'))
  const rules = overrides.filter(({ includes }) => includes.every(glob => /^server\/(?!\*)/.test(glob)))
  t.ok(rules.length > 10)
  for (const { includes, linter } of rules) {
    const patterns = linter.rules.style.noRestrictedImports.options?.patterns ?? []
    const forbidden = patterns.flatMap(({ group }) => group).flatMap(expandBraces)
    t.same(
      notInTable.filter(name => !forbidden.includes(`**/${name}`)),
      [],
      includes.join(', '),
    )
  }
})

t.test('the linter allows database drivers only in the folders of store engines', async t => {
  const { overrides }: LintRules = JSON.parse(read('biome.imports.json'))
  const drivers = ['@duckdb/**', '@clickhouse/**', 'better-sqlite3', 'node:sqlite', 'pg']
  for (const { includes, linter } of overrides) {
    const { options } = linter.rules.style.noRestrictedImports
    const isEngine = includes.includes('server/store/*/**')
    if (options === undefined || isEngine) continue
    const forbidden = (options.patterns ?? []).flatMap(({ group }) => group).flatMap(expandBraces)
    t.same(
      drivers.filter(driver => !forbidden.includes(driver)),
      [],
      includes.join(', '),
    )
  }
})

t.test('each decision has a unique number, in its file name and title', async t => {
  const names = filesIn('docs/decisions').map(path => posix.basename(path))
  const numbers = names.map(name => Number.parseInt(name, 10))
  t.same(
    numbers.toSorted((a, b) => a - b),
    names.map((_, index) => index + 1),
  )
  for (const [index, name] of names.entries()) {
    t.match(name, /^\d{4}-[a-z-]+\.md$/)
    t.match(read(`docs/decisions/${name}`).split('\n')[0], new RegExp(`^# ${numbers[index]}\\. \\S`), name)
  }
})

t.test('decisions mentioned in code or documents exist', async t => {
  const contents = [
    ...sources.filter(({ path }) => path !== 'scripts/conventions.test.ts').map(({ text }) => text),
    ...[...filesIn('docs').filter(path => path.endsWith('.md')), 'README.md', 'CONTRIBUTING.md'].map(read),
  ]
  const references = new Set(contents.flatMap(text => text.match(/\b\d{4}-[a-z][a-z-]*\.md\b/g) ?? []))
  t.ok(references.size > 0)
  const names = filesIn('docs/decisions').map(path => posix.basename(path))
  t.same(
    [...references].filter(name => !names.includes(name)),
    [],
  )
})

function codeOf(path: string): string {
  return product.find(each => each.path === path)?.code ?? ''
}

/** Returns a file and its direct and indirect imports. */
function withImports(path: string, seen = new Set<string>()): string[] {
  seen.add(path)
  for (const [, imported] of codeOf(path).matchAll(/ from '(\.[^']+)'/g)) {
    const next = posix.join(posix.dirname(path), String(imported))
    if (!seen.has(next)) withImports(next, seen)
  }
  return [...seen]
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Returns the relative links in a Markdown document that lead to no file, folder or heading. */
function brokenLinks(path: string, text: string): string[] {
  const links = [
    ...withoutFences(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)/g),
  ]
  return links
    .map(([, link]) => String(link))
    .filter(link => {
      if (/^[a-z]+:/.test(link)) return false
      const [file = '', heading] = link.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (target !== path && !existsSync(join(root, target))) return true
      if (heading === undefined) return false
      return !target.endsWith('.md') || !anchorsIn(target === path ? text : read(target)).includes(heading)
    })
    .map(link => `${path}: ${link}`)
}

/** Returns the anchors that GitHub creates for the headings of a Markdown document. */
function anchorsIn(text: string): string[] {
  const counts = new Map<string, number>()
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const anchor = String(heading)
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

/** Removes the code blocks from a Markdown document. */
function withoutFences(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, '')
}

/** Returns the rows of the layer table in CONTRIBUTING, top row first. */
function layersInTable(): string[][] {
  const [, table = ''] = /\n\| Layer [^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(contributing) ?? []
  return table
    .split('\n')
    .map(codeIn)
    .filter(row => row.length > 0)
}

/** Returns the names in backticks. */
function codeIn(text: string): string[] {
  return [...text.matchAll(/`([\w-]+(?:\.ts)?)`/g)].map(([, name]) => String(name))
}

/** Returns the part of a route before its parameters or wildcard: `/assets` for `/assets/*`. */
function literalPart(url: string): string {
  return url.replace(/\/[:*].*$/, '')
}

/** Expands `a{b,c}d` to `abd` and `acd`. */
function expandBraces(glob: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [glob, glob]
  return names.split(',').map(name => `${before}${name}${after}`)
}

/** Returns the paths of all files in a folder and its subfolders, relative to the root of the repository. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules' || entry.name === 'next' || entry.name.startsWith('.')) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}
