import { framesWithCauses } from './stack.ts'

/** Returns the function, file and line of each frame of a stack, and the cause whose frames start there. */
export function describeFrames(stack: string): string[] {
  return framesWithCauses(stack).map(({ frame, cause }) =>
    [frame.functionName, frame.file, frame.line, ...(cause === null ? [] : [cause])].join(' '),
  )
}
