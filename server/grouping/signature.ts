import { createHash } from 'node:crypto'
import type { Exception } from '../../shared/event.ts'
import type { Frame } from '../../shared/stack.ts'
import { isBundle } from '../stacks/bundle-name.ts'
import { normaliseMessage } from './normalise-message.ts'
import { stableFunctionName, stablePath, stableType } from './stable-names.ts'

/** The stable names of an application frame. `functionName` is `null` for an anonymous function. */
export type SignatureFrame = { functionName: string | null; file: string }

/** The parts of an exception that are compared to find similar failures. Small enough to be stored for each fingerprint. */
export type Signature = {
  /** A hash of the exception type and the message template: ten lower-case hex characters. */
  subject: string
  /** The innermost application frames, innermost first. Frames in bundles without a source map are omitted. */
  frames: SignatureFrame[]
}

const maxFrames = 8
const maxFunctionLength = 100
const maxFileLength = 200

/**
 * Returns the signature of an exception.
 * @param body the event's message, used if the exception has none
 * @param frames the frames of the stack, mapped to source, innermost first
 */
export function signatureOf(
  exception: Pick<Exception, 'type' | 'message'>,
  body: string,
  frames: readonly Pick<Frame, 'functionName' | 'file' | 'inApp'>[],
): Signature {
  const type = stableType(exception.type)
  const message = normaliseMessage(exception.message === '' ? body : exception.message, type)
  return {
    subject: createHash('sha256')
      .update(JSON.stringify([type, message]))
      .digest('hex')
      .slice(0, 10),
    frames: withoutRecursion(frames.filter(({ inApp, file }) => inApp && !isBundle(file)).map(stableFrame)),
  }
}

function stableFrame({ functionName, file }: Pick<Frame, 'functionName' | 'file'>): SignatureFrame {
  return {
    functionName: stableFunctionName(functionName, file)?.slice(0, maxFunctionLength) ?? null,
    // The end of a path is more specific than its beginning.
    file: stablePath(file).slice(-maxFileLength),
  }
}

function withoutRecursion(frames: readonly SignatureFrame[]): SignatureFrame[] {
  return frames
    .filter((frame, index) => {
      const inner = frames[index - 1]
      return frame.functionName !== inner?.functionName || frame.file !== inner.file
    })
    .slice(0, maxFrames)
}
