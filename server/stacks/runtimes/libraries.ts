/**
 * The part of a file's path that a library or the runtime's own library gave it, or `null` where the application
 * may have written the file.
 * @param path with `/` between its folders, without a scheme
 */
export function libraryPart(path: string): string | null {
  const packages =
    /(?:^|\/)(?:node_modules|site-packages|dist-packages|pkg\/mod|vendor(?=\/[\w.-]+\/.*\.go$))\//
  const last = lastMatch(path, packages)
  if (last !== null) return last
  if (/\.(?:java|kts?|scala|groovy|clj)$/.test(path)) return jvmPackages.test(path) ? path : null
  if (/\.pyw?$/.test(path)) return firstMatch(path, pythonLibrary)
  if (/\.(?:go|s|c)$/.test(path)) return goPart(path)
  if (path.endsWith('.cs')) return /^(?:System|Microsoft)\//.test(path) ? path : null
  return nextPart.test(path) ? path : null
}

/** What every JVM has, and the frameworks that most stacks of servers are full of: no folder tells them apart. */
const jvmPackages = new RegExp(
  `^(?:${[
    'javax?|jdk|sun|com/sun|kotlinx?|scala|groovy|clojure|androidx?|dalvik|jakarta',
    'org/(?:springframework|apache|hibernate|eclipse|jboss|postgresql|slf4j|junit|codehaus|glassfish|aspectj)',
    'io/(?:netty|undertow|vertx|micronaut|quarkus|reactivex|ktor|opentelemetry|grpc)',
    'com/(?:fasterxml|zaxxer|mysql|google/common|google/inject)|reactor|okhttp3|retrofit2|akka|ch/qos',
  ].join('|')})/`,
)

const pythonLibrary = /\/(?:lib\/(?:python|pypy)[\d.]*|Python\d*\/Lib)\//i

/** Directories of https://pkg.go.dev/std; the path of any other package begins with a host or its module's name. */
const goStandard =
  '(?:archive|arena|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|weak)'
/** `go build -trimpath` leaves import paths: those of the standard library, and modules with their version. */
const trimmedGo = new RegExp(`^${goStandard}/`)
const goRoot = new RegExp(`/go[^/]*/(?:[^/]+/){0,3}src/(?=${goStandard}/)`, 'i')

function goPart(path: string): string | null {
  if (trimmedGo.test(path) || /@v\d[^/]{0,100}\//.test(path) || path === '_cgo_gotypes.go') return path
  return firstMatch(path, goRoot)
}

/** What Next.js brings along in chunks of its own, by the names that webpack and Turbopack give them. */
const nextPart =
  /^\[turbopack\]\/|(?:^|\/)(?:node_modules_[^/]*\.js|(?:_next\/static\/chunks|\.next\/(?:server|dev\/server))\/(?:[\w-]+\/)*(?:framework|main|main-app|polyfills|webpack|webpack-runtime|webpack-api-runtime|turbopack|\[turbopack\]_runtime)(?:-[\w-]+)?\.js)$/

function firstMatch(path: string, pattern: RegExp): string | null {
  const match = pattern.exec(path)
  return match === null ? null : path.slice(match.index + match[0].length)
}

function lastMatch(path: string, pattern: RegExp): string | null {
  const last = [...path.matchAll(new RegExp(pattern, 'g'))].at(-1)
  return last === undefined ? null : path.slice(last.index).replace(/^\//, '')
}
