import type { Attributes, Exception, Json } from '../../../shared/event.ts'
import { stackText } from '../../stacks/stack-text.ts'
import type { ThrownException } from '../../stacks/thrown-exception.ts'
import { isJavaScript, readFrames } from './frames.ts'
import { list, object, text } from './json-fields.ts'
import { sourceLinesOf } from './source-lines.ts'

/** The exception of an event, and how the SDK captured it. */
export type Thrown = {
  exception: Exception
  /** How the SDK captured the exception, such as `auto.http.express`. */
  mechanism: string | null
  /** `false` if nothing in the application caught the exception. */
  handled: boolean | null
  sourceLines: Attributes[]
  /** The React components around the component that failed. */
  componentStack: string | null
}

/** Longer chains are truncated. */
const maxExceptions = 20

/**
 * Reads the exception of an event and its causes
 * (https://develop.sentry.dev/sdk/data-model/event-payloads/exception/). Returns `null` if the event is a message: SDKs can
 * attach a stack to a message, as an exception without a type.
 */
export function readThrown({ exception }: Attributes, platform: string): Thrown | null {
  const values = list(exception).slice(-maxExceptions).map(object)
  const thrown = values.at(-1) ?? (isException(object(exception)) ? object(exception) : undefined)
  if (thrown === undefined) return null
  const isSynthetic = object(thrown.mechanism).synthetic === true
  if (text(thrown.type) === null && (isSynthetic || text(thrown.value) === null)) return null
  const linked = causesOf(values)
  const causes = linked.filter(each => !isComponentStack(each))
  const chain = readChain(thrown, causes, platform)
  const [first] = chain
  const components = linked.filter(isComponentStack).map(each => readException(each, platform))
  // pino omits the messages of the errors in an `AggregateError`.
  const firstErrorIndex = causes.findIndex(isFirstError)
  // The SDK for Node.js sets the mechanism of the thrown exception on its innermost cause.
  const mechanisms = [thrown, ...values].map(each => object(each.mechanism))
  const { type: mechanism, handled } =
    mechanisms.find(each => each.handled === false) ?? object(mechanisms[0])
  return {
    exception: {
      type: first.type,
      message: messageOfChain(firstErrorIndex === -1 ? chain : chain.slice(0, firstErrorIndex + 1), platform),
      stack: stackText(chain, platform),
    },
    mechanism: text(mechanism),
    handled: typeof handled === 'boolean' ? handled : null,
    sourceLines: sourceLinesOf(chain),
    componentStack: stackText(components, platform)?.replace(/^.*\n/, '') ?? null,
  }
}

/**
 * Joins the messages of a JavaScript error and its causes, as pino does, so that an error has the same fingerprint whether
 * an SDK or a logger sends it. In other languages, returns only the message of the error.
 */
function messageOfChain(chain: readonly ThrownException[], platform: string): string {
  const messages = chain.map(({ message }) => message).filter(message => message !== '')
  return isJavaScript(platform) ? messages.join(': ') : (chain[0]?.message ?? '')
}

/**
 * Whether an exception is the component stack that the SDK for React adds. Its frames are the components of the page. If
 * they were part of the failure's stack, the same error would be a separate failure on each page.
 */
function isComponentStack({ type }: Attributes): boolean {
  return text(type)?.startsWith('React ErrorBoundary ') === true
}

function isException(value: Attributes): boolean {
  return text(value.type) !== null
}

/**
 * Returns the causes of the thrown exception, which is the last value. If an `AggregateError` has no cause, its first error
 * is the cause. Omits the other errors, and their causes.
 */
function causesOf(values: readonly Attributes[]): Attributes[] {
  const withCause = new Set(values.filter(isCause).map(({ mechanism }) => object(mechanism).parent_id))
  const otherIds = new Set<number>()
  return values
    .slice(0, -1)
    .toReversed()
    .filter(each => {
      const { exception_id: id, parent_id: parentId } = object(each.mechanism)
      const isLinked = !isMember(each) || (isFirstError(each) && !withCause.has(parentId))
      const isOther = !isLinked || (typeof parentId === 'number' && otherIds.has(parentId))
      if (typeof id !== 'number' || !isOther) return true
      otherIds.add(id)
      return false
    })
}

/** The name of the property that refers to the exception, such as `cause`, `__context__`, `unwrap` or `errors[0]`. */
function sourceOf({ mechanism }: Attributes): string {
  return text(object(mechanism).source) ?? ''
}

function isCause(value: Attributes): boolean {
  return sourceOf(value) !== '' && !isMember(value)
}

/** Whether an exception is one of the errors of an `AggregateError` or of another group. */
function isMember(value: Attributes): boolean {
  return /\[\d+\]$/.test(sourceOf(value))
}

/** JavaScript's `errors[0]`, Python's `exceptions[0]` or .NET's `InnerExceptions[0]`. */
function isFirstError(value: Attributes): boolean {
  return sourceOf(value).endsWith('[0]')
}

/**
 * Reads the thrown exception and its causes, including suppressed exceptions. If an exception suppressed several, the SDK for
 * Java links each to the previous one. The parent of a suppressed exception is therefore the last exception before it that
 * is neither suppressed nor the cause of a suppressed one.
 */
function readChain(
  thrown: Attributes,
  causes: readonly Attributes[],
  platform: string,
): [ThrownException, ...ThrownException[]] {
  const [exceptions, suppressedIds] = [new Map<Json, ThrownException>(), new Set<Json>()]
  let last: ThrownException | undefined
  const read = (value: Attributes) => {
    const { type, exception_id: id = null, parent_id: parentId = null } = object(value.mechanism)
    const isSuppressed = type === 'suppressed'
    const parent = isSuppressed ? last : exceptions.get(parentId)
    const exception = { ...readException(value, platform), parent, isSuppressed }
    exceptions.set(id, exception)
    if (isSuppressed || suppressedIds.has(parentId)) suppressedIds.add(id)
    else last = exception
    return exception
  }
  return [read(thrown), ...causes.map(read)]
}

function readException(
  { type, value, module, stacktrace, raw_stacktrace: raw }: Attributes,
  platform: string,
): ThrownException {
  return {
    ...printedError({ type: text(type) ?? 'Error', message: messageOf(value) }, platform),
    module: text(module),
    frames: readFrames(stacktrace ?? raw, platform),
  }
}

function messageOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const goRuntimeError = 'runtime error: '

/** Go prints each runtime error as `runtime error`, without the error's type (for example `runtime.boundsError`). */
function printedError(error: { type: string; message: string }, platform: string) {
  return platform === 'go' && error.message.startsWith(goRuntimeError)
    ? { type: 'runtime.Error', message: error.message.slice(goRuntimeError.length) }
    : error
}
