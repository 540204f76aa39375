import { createHash } from 'node:crypto'
import type { Exception } from '../../shared/event.ts'
import { locateFile } from '../stacks/file-location.ts'
import { type StackFrame, stackFrames } from '../stacks/stack.ts'
import { normaliseMessage } from './normalise-message.ts'
import { stableFunctionName, stablePath, stableType } from './stable-names.ts'

/**
 * Returns the fingerprint of an exception, based on its type, message and stack. `fallback.body` replaces an empty message,
 * and `fallback.route` replaces the stack if no frame belongs to the application.
 */
export type Fingerprint = (exception: Exception, fallback?: { body: string; route: string | null }) => string

/** Part of the hash, so that fingerprints of different algorithms never match. Increase it when the algorithm changes. */
const algorithmVersion = 'sixpane 3'

const maxFrames = 30

/**
 * Returns the fingerprint that groups the occurrences of a failure across releases and replicas: ten lower-case hex
 * characters. See docs/decisions/0002-fingerprint.md for its inputs.
 * @param fallback used if the message is empty or no frame belongs to the application
 */
export function fingerprint(
  exception: Exception,
  fallback: { body: string; route: string | null },
  root?: string,
): string {
  const type = stableType(exception.type)
  const message = normaliseMessage(exception.message === '' ? fallback.body : exception.message, type)
  const frames = signature(stackFrames(exception.stack ?? ''), root)
  const location = frames.length > 0 ? frames : [fallback.route ?? '']
  return createHash('sha256')
    .update(JSON.stringify([algorithmVersion, type, message, location]))
    .digest('hex')
    .slice(0, 10)
}

/**
 * Returns the function and file of the first `maxFrames` application frames. Consecutive equal frames (recursion) count once.
 */
function signature(frames: readonly StackFrame[], root: string | undefined): string[] {
  const all = frames.flatMap(frame => {
    const { file, inApp } = locateFile(frame.file, root)
    return inApp ? `${stableFunctionName(frame.functionName, file) ?? ''} ${stablePath(file)}` : []
  })
  return all.filter((each, index) => each !== all[index - 1]).slice(0, maxFrames)
}
