import { namedIn } from './error-head.ts'
import { framesOf, type Runtime, type StackFrame } from './frame.ts'

/** Java, Kotlin, Scala and whatever else the JVM runs: `Throwable.printStackTrace()`. */
export const java: Runtime = {
  frames: lines => framesOf(lines, javaFrame),
  thrown(lines, first) {
    const head = lines.slice(0, first)
    const from = head.findIndex(line => qualified.test(line))
    const [, type = '', rest = ''] = qualified.exec(head[from] ?? '') ?? []
    if (from < 0) return namedIn(head)
    const message = [rest, ...head.slice(from + 1)].join('\n').trim()
    return { type, message, said: head.join('\n').trim() }
  },
}

const qualified =
  /^(?:Exception in thread "[^"]{0,200}" )?((?:[a-z_][\w$]{0,100}\.){1,20}[A-Z][\w$]{0,200})(?:: (.*))?$/

// `at module@1/com.shop.Cart$Item.lambda$total$0(Cart.java:12) ~[shop.jar:1.2]`: Logback adds the archive.
const frameLine =
  /^at (?:[\w.@$-]*\/){0,2}((?:[\w$\u0080-\uffff-]+\.)+)([\w$<>\u0080-\uffff-]+)\(([^()]{1,300})\)(?: ~?\[[^\]]{0,300}\])?$/
const source =
  /^(?:(Native Method|Unknown Source|<generated>)|([\w$-]{1,200}\.(?:java|kts?|scala|groovy|clj)|SourceFile)(?::(\d{1,9}))?)$/
/** Made while the program runs, under names with numbers: proxies, lambdas, accessors of reflection. */
const made = /\$\$|\$Proxy\d|Generated\w{1,20}Accessor\d|<generated>/

function javaFrame(line: string): StackFrame | null {
  const [, owner = '', method = '', from = ''] = frameLine.exec(line) ?? []
  const [, unknown, file, lineNumber] = source.exec(from) ?? []
  if (unknown === undefined && file === undefined) return null
  return {
    functionName: `${owner}${method}`,
    file: made.test(line) ? '<generated>' : pathOf(owner.slice(0, -1), file),
    line: lineNumber === undefined ? null : Number(lineNumber),
    column: null,
    async: false,
  }
}

/** A source's path below the root of the sources is that of its package. */
function pathOf(className: string, file: string | undefined): string {
  const parts = className.split('.')
  const name = parts.pop()?.replace(/\$.*$/, '') ?? ''
  const known = file === undefined || file === 'SourceFile' ? `${name}.java` : file
  return [...parts, known].join('/')
}
