import { errorInHead } from './error-head.ts'
import { parseFrames, type Runtime, type StackFrame } from './frame.ts'

/** Java, Kotlin, Scala and other JVM languages: `Throwable.printStackTrace()`. */
export const java: Runtime = {
  frames: lines => parseFrames(lines, javaFrame),
  thrown(lines, first) {
    const head = lines.slice(0, first)
    const from = head.findIndex(line => errorIn(line) !== null)
    const [, type = '', rest = ''] = errorIn(head[from] ?? '') ?? []
    if (from < 0) return errorInHead(head)
    const message = [rest, ...head.slice(from + 1)].join('\n').trim()
    return { type, message, summary: head.join('\n').trim() }
  },
}

const qualifiedError = /^((?:[a-z_][\w$]{0,100}\.){1,20}[A-Z][\w$]{0,200})(?:: (.*))?$/
/** The class may have no package. */
const uncaughtError =
  /^Exception in thread "[^"]{0,200}" ((?:[a-z_][\w$]{0,100}\.){0,20}[A-Z][\w$]{0,200})(?:: (.*))?$/

// `at module@1/com.shop.Cart$Item.lambda$total$0(Cart.java:12) ~[shop.jar:1.2]`: Logback appends the JAR file.
const frameLine =
  /^at (?:[\w.@$-]*\/){0,2}((?:[\w$\u0080-\uffff-]+\.)+)([\w$<>\u0080-\uffff-]+)\(([^()]{1,300})\)(?: ~?\[[^\]]{0,300}\])?$/
// Android's R8 replaces file names with `SourceFile`, `Unknown Source` or the id of its mapping.
const source =
  /^(?:(Native Method|<generated>)|(Unknown Source|[\w$-]{1,200}\.(?:java|kts?|scala|groovy|cljc?)|SourceFile|NO_SOURCE_FILE|r8-map-id-\w{1,100})(?::(\d{1,9}))?)$/
/** Code generated at run time, with numbered names: proxies, reflection accessors. */
const generatedAtRuntime = /\$Proxy\d|Generated\w{1,20}Accessor\d|<generated>/

/** Scala and Kotlin compile closures to classes with `$$`, too, but these have a source file. */
function isGeneratedAtRuntime(line: string, file: string | undefined): boolean {
  return generatedAtRuntime.test(line) || (line.includes('$$') && !file?.includes('.'))
}

function errorIn(line: string): RegExpExecArray | null {
  return qualifiedError.exec(line) ?? uncaughtError.exec(line)
}

function javaFrame(line: string): StackFrame | null {
  const [, owner = '', method = '', from = ''] = frameLine.exec(line) ?? []
  const [, unknown, file, lineNumber] = source.exec(from) ?? []
  if (unknown === undefined && file === undefined) return null
  return {
    functionName: `${owner}${method}`,
    file: isGeneratedAtRuntime(line, file) ? '<generated>' : pathOf(owner.slice(0, -1), file),
    line: lineNumber === undefined ? null : Number(lineNumber),
    column: null,
    async: false,
  }
}

/** Returns the path of a class in the source tree, where folders correspond to packages. */
function pathOf(className: string, file: string | undefined): string {
  const parts = className.split('.')
  const name = parts.pop()?.replace(/\$.*$/, '') ?? ''
  const fileName = file?.includes('.') ? file : `${name}.java`
  return [...parts, fileName].join('/')
}
