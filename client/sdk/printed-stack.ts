import { digestOf } from './reporter/digest.ts'
import { maxCauses } from './reporter/record.ts'

/**
 * Returns the error with the stack that Next.js prints in development, because only that stack has positions in the source:
 * https://github.com/vercel/next.js/blob/canary/packages/next/src/server/patch-error-inspect.ts
 * Returns the error itself in production, where Sixpane applies the uploaded source maps.
 */
export function withPrintedStack(error: unknown, errorsLeft = maxCauses): unknown {
  // Causes may be circular.
  if (errorsLeft === 0) return error
  if (process.env.NODE_ENV !== 'development' || !(error instanceof Error)) return error
  try {
    // Bundlers for the edge runtime do not accept imports of built-in modules.
    const { getBuiltinModule } = process
    // The edge runtime's sandbox defines this function, but calling it throws.
    const util = getBuiltinModule?.('node:util')
    if (util === undefined) return error
    const { name, message, cause } = error
    // Source lines follow the frames, and the frames of the cause are indented further.
    const frames = util.inspect(error, { colors: false }).match(/^ {4}at .*/gm)
    if (frames === null) return error
    const stack = [`${name}: ${message}`, ...frames].join('\n')
    return { name, message, stack, digest: digestOf(error), cause: withPrintedStack(cause, errorsLeft - 1) }
  } catch {
    return error
  }
}
