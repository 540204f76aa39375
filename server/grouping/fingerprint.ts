import { createHash } from 'node:crypto'
import type { Exception } from '../../shared/event.ts'
import { placeOf, stablePlace } from '../stacks/file-location.ts'
import { type StackFrame, stackFrames } from '../stacks/stack.ts'
import { normaliseMessage } from './normalise-message.ts'
import { stableName } from './stable-name.ts'

/**
 * Returns the fingerprint of an exception that came with an event, from its stack as written, or from the message and
 * the route of `fallback` if it has no stack.
 */
export type Fingerprint = (exception: Exception, fallback?: { body: string; route: string | null }) => string

/** Changes when the recipe does: fingerprints of two recipes have nothing to say to each other. */
const recipe = 'sixpane 2'

const mostFrames = 30

/**
 * What groups the occurrences of one failure, over releases and replicas: ten lower-case hex characters. See
 * docs/decisions/0002-fingerprint.md for what goes into it and why.
 * @param fallback what stands in where no frame of the application is known
 */
export function fingerprint(
  exception: Exception,
  fallback: { body: string; route: string | null },
  root?: string,
): string {
  const type = stableType(exception.type)
  const message = normaliseMessage(exception.message === '' ? fallback.body : exception.message, type)
  const frames = signature(stackFrames(exception.stack ?? ''), root)
  const where = frames.length > 0 ? frames : [fallback.route ?? '']
  return createHash('sha256')
    .update(JSON.stringify([recipe, type, message, where]))
    .digest('hex')
    .slice(0, 10)
}

/** Function and file of each frame of the application; a function that calls itself counts once. */
function signature(frames: readonly StackFrame[], root: string | undefined): string[] {
  const all = frames.flatMap(frame => {
    const { file, inApp } = placeOf(frame.file, root)
    return inApp ? `${stableName(frame.functionName, file) ?? ''} ${stablePlace(file)}` : []
  })
  return all.filter((each, index) => each !== all[index - 1]).slice(0, mostFrames)
}

/**
 * A type by its last part alone: a trace says `django.db.utils.OperationalError` where a logger says
 * `OperationalError`. A name as short as a minifier's is none.
 */
function stableType(type: string): string {
  const name = type.slice(Math.max(type.lastIndexOf('.'), type.lastIndexOf(':')) + 1)
  return name.length <= 3 ? 'Error' : name
}
