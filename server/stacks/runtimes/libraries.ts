/**
 * Returns the path of a library file without the installation folder, or `null` if the file may belong to the
 * application.
 * @param path with `/` as the separator, without a scheme
 */
export function libraryPath(path: string): string | null {
  const packages =
    /(?:^|\/)(?:node_modules|site-packages|dist-packages|pkg\/mod|deno(?:-dir)?\/npm\/[\w-]+(?:\.[\w-]+)+|vendor(?=\/[\w.-]+\/.*\.(?:go|php)$))\//
  const last = lastMatch(path, packages)
  if (last !== null) return last
  if (platform.test(path)) return path
  if (/\.(?:java|kts?|scala|groovy|clj)$/.test(path)) return jvmPackages.test(path) ? path : null
  if (/\.pyw?$/.test(path)) return firstMatch(path, pythonLibrary)
  if (/\.[chS]$/.test(path) && glibc.test(path)) return path
  if (/\.(?:go|s|c)$/.test(path)) return goLibraryPath(path)
  if (/\.(?:rb|rake|erb|haml|slim|j?builder)$/.test(path))
    return lastMatch(path, rubyGem) ?? firstMatch(path, rubyLibrary)
  if (/\.(?:exs?|erl)$/.test(path)) return elixirLibrary.test(path) ? path : null
  if (path.endsWith('.rs')) return firstMatch(path, rustLibrary)
  if (path.endsWith('.cs')) return /^(?:System|Microsoft)\//.test(path) ? path : null
  if (path.endsWith('.fs')) return lastMatch(path, fsharpLibrary)
  return nextLibraries.test(path) ? path : null
}

/** The code of AWS Lambda, Vercel and Azure Functions that calls the application. The platform updates it between releases. */
const platform = /^\/(?:var\/runtime|opt\/rust|azure-functions-host)\//

/** Packages of the JDK and common frameworks. JVM stacks have no folders that distinguish libraries from the application. */
const jvmPackages = new RegExp(
  `^(?:${[
    'lambdainternal|_COROUTINE',
    'javax?|jdk|sun|com/sun|kotlinx?|scala|groovy|clojure|androidx?|dalvik|jakarta',
    'org/(?:springframework|apache|hibernate|eclipse|jboss|postgresql|slf4j|junit|codehaus|glassfish|aspectj)',
    'io/(?:netty|undertow|vertx|micronaut|quarkus|reactivex|ktor|opentelemetry|grpc)',
    'com/(?:fasterxml|zaxxer|mysql|google/common|google/inject)|reactor|okhttp3|retrofit2|akka|ch/qos',
  ].join('|')})/`,
)

const pythonLibrary = /\/(?:lib\/(?:python|pypy)[\d.]*|Python\d*\/Lib)\//i

/** A gem's folder ends in its version, or in its commit if Bundler installed it from Git. */
const rubyGem = /(?:^|\/)gems\/(?=[\w.-]+-(?:\d[\w.]*|[\da-f]{7,40})\/)/
const rubyLibrary = /\/lib\/ruby\/(?:\d[\d.]*|\w+_ruby)\//

/** The standard library, and the crates in Cargo's home folder. */
const rustLibrary =
  /\/(?:rustc\/[\da-f]{1,40}\/library|rustlib\/src\/rust\/library|\.?cargo\/(?:registry\/src|git\/checkouts)\/[^/]+)\//

/** The GNU C library, which calls an application's `main`. Stacks contain its paths only on hosts with its debug symbols. */
const glibc = /(?:^|\/)(?:csu|nptl|sysdeps|glibc-\d[^/]*)\//

/** Elixir, Erlang and common packages. The frames have no folders that distinguish packages from the application. */
const elixirLibrary = new RegExp(
  `^(?:[^/]+\\.erl$|src/(?:cowboy|ranch)|lib/(?:${[
    'access|agent|code|enum|exception|file|genserver|gen_server|io|kernel|keyword|list|map|module|process|regex|registry',
    'stream|string|supervisor|system|task(?:/supervised)?|tuple',
  ].join(
    '|',
  )})\\.exs?$|lib/(?:phoenix|phoenix_live_view|ecto|ecto_sql|plug|bandit|thousand_island|db_connection|postgrex|oban|absinthe|logger|mix|ex_unit)(?:/|\\.ex$))`,
)

/** The library of F#, whose debug symbols are part of it. */
const fsharpLibrary = /(?:^|\/)FSharp\.Core\//

/** Folders of https://pkg.go.dev/std. Other import paths start with a host or a module name. */
const goStandardPackages =
  '(?:archive|arena|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|weak)'
/** `go build -trimpath` leaves only import paths: a package of the standard library, or a module with its version. */
const trimmedGoPath = new RegExp(`^${goStandardPackages}/`)
const goRoot = new RegExp(`/go[^/]*/(?:[^/]+/){0,3}src/(?=${goStandardPackages}/)`, 'i')

function goLibraryPath(path: string): string | null {
  if (trimmedGoPath.test(path) || /@v\d[^/]{0,100}\//.test(path) || path === '_cgo_gotypes.go') return path
  return firstMatch(path, goRoot)
}

/** Matches chunks of Next.js itself and of packages, as webpack and Turbopack name them. */
const nextLibraries =
  /^\[turbopack\]\/|(?:^|\/)(?:node_modules_[^/]*\.js|(?:_next\/static\/chunks|\.next\/(?:server|dev\/server))\/(?:[\w-]+\/)*(?:framework|main|main-app|polyfills|webpack|webpack-runtime|webpack-api-runtime|turbopack|\[turbopack\]_runtime)(?:-[\w-]+)?\.js)$/

function firstMatch(path: string, pattern: RegExp): string | null {
  const match = pattern.exec(path)
  return match === null ? null : path.slice(match.index + match[0].length)
}

function lastMatch(path: string, pattern: RegExp): string | null {
  const last = [...path.matchAll(new RegExp(pattern, 'g'))].at(-1)
  return last === undefined ? null : path.slice(last.index).replace(/^\//, '')
}
