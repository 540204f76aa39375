import { isBundle, withoutHash } from '../stacks/bundle-name.ts'
import { isWasm, wasmPosition } from '../stacks/runtimes/script-location.ts'

/**
 * Returns the last part of a type name, because stack traces contain `django.db.utils.OperationalError`, but loggers write
 * only `OperationalError`. Names of up to three letters probably come from a minifier and become `Error`.
 */
export function stableType(type: string): string {
  const name = type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf(':')) + 1)
  return name.length <= 3 ? 'Error' : name
}

/**
 * Returns the part of a path that is the same in every installation and build. Drops the upper folders of absolute paths
 * (they differ between machines), hashes in bundle names, and hashes and numbers in folder names. Pages have a common path,
 * because several can contain the same inline script. `blob:` URLs contain only a random id.
 */
export function stablePath(file: string): string {
  if (/^https?:/.test(file)) return '<page>'
  if (file.startsWith('blob:')) return 'blob:'
  const built = file
    .replace(wasmPosition, '')
    .replace(/^wasm:\/\/wasm\/(.+)-[\da-f]{8}$/, '$1')
    // Below its output folder, Next.js arranges files by route: `…/orders/[id]/page.js`.
    .replace(/^.*\/(?=(?:_next|\.next)\/)/, '')
  const absolute = built.startsWith('/') || /^[a-z]:\//i.test(built)
  const path = absolute ? built.split('/').slice(-2) : built.split('/')
  const name = withoutHash(built)
  return [...path.slice(0, -1).map(folder => folder.replace(commitOrNumber, '0')), name].join('/')
}

/** A folder that is named after a commit contains a release: `/srv/releases/9f8e7d6c/server.js`. */
const commitOrNumber = /^(?=.*\d)[\da-f]{7,64}$|\d+/g

/** Returns the part of a function name that is stable across builds, or `null` if a build tool may have generated it. */
export function stableFunctionName(functionName: string | null, file: string): string | null {
  if (functionName === null || isBundle(file)) return null
  if (file.endsWith('.go')) return goName(functionName)
  if (/\.(?:java|kts?|scala|groovy|clj)$/.test(file)) return jvmName(functionName)
  if (/\.(?:cs|fs|vb)$/.test(file)) return dotnetName(functionName)
  if (/\.(?:exs?|erl|[hl]?eex)$/.test(file)) return lastPart(functionName).replace(/\/\d+$|\(\)$/, '')
  const name = isWasm(file) ? wasmName(functionName) : lastPart(functionName.replace(/^new /, ''))
  if (file.endsWith('.py')) return name
  return name.length <= 2 || name === '<anonymous>' ? null : name
}

/**
 * `example.com/shop/cart.(*Cart[...]).Total.func2.1` → `cart.(*Cart).Total`: Go numbers anonymous functions and the bodies of
 * loops over functions (`Total-range1`).
 */
function goName(name: string): string {
  return name
    .replaceAll('[...]', '')
    .replace(/^.*\//, '')
    .replace(/(?:(?:\.(?:func|gowrap|deferwrap)?|-range)\d+|-fm){1,20}$/, '')
}

/**
 * `com.shop.Cart.lambda$total$0` → `total`: compilers number the lambdas of a class, and Scala adapts some to other types.
 * `com.shop.Cart$total$2.invokeSuspend` → `total`: each closure of Kotlin, Scala or Clojure is a class with the same method.
 */
function jvmName(name: string): string {
  const method = lastPart(name)
  const closure = closureMethods.has(method) ? closureName(name.slice(0, -method.length - 1)) : null
  if (closure !== null) return closure
  return method
    .replace(/^(?:lambda|\$anonfun)\$/, '')
    .replace(/\$adapted$/, '')
    .replace(/\$\d+(?=\$|$)/g, '')
}

const closureMethods = new Set([
  'invokeSuspend',
  'invoke',
  'invokeStatic',
  'doInvoke',
  'apply',
  'applyOrElse',
])
/** Names that compilers give to anonymous functions. The name of a class starts with a capital letter. */
const anonymous = /^(?:[^a-z_]|anonfun$|fn__)/

/** Returns the function that contains a closure, or `null` if the class is not a closure's or its name does not say. */
function closureName(className: string): string | null {
  const [, ...parts] = lastPart(className).split('$')
  return parts.findLast(part => part !== '' && !anonymous.test(part)) ?? null
}

/**
 * `<Total>b__5_0` → `<Total>b__`, `<Total>g__Sum|5_1` → `<Total>g__Sum|`: C# numbers methods, lambdas and local functions, as
 * Visual Basic does (`_Lambda$__1-0`). F# names closures after the function and the line: `total@13-2.Invoke` → `total`.
 */
function dotnetName(name: string): string {
  const [, closure] = /(?:^|\.)([^.@]+)@\d+(?:-\d+)?\.\w+$/.exec(name) ?? []
  return (closure ?? lastPart(name))
    .replace(/(?<=>[bg]__(?:[^|>]+\|)?)\d+(?:_\d+)*(?=$|>|\[)/g, '')
    .replace(/(?<=^_Lambda\$__)[\d-]+$/, '')
}

/**
 * `shop.wasm.cart::total::h0123456789abcdef` → `cart::total`: V8 adds the module, and Rust adds a hash that differs between
 * builds.
 */
function wasmName(name: string): string {
  return name.replace(/^[^:<(]{1,200}?\.wasm\./, '').replace(/::h[\da-f]{16}$/, '')
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
