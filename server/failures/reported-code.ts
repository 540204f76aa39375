import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Attributes } from '../../shared/event.ts'
import type { Frame } from '../../shared/stack.ts'
import type { StackFrame } from '../stacks/stack.ts'

const sourceLines = Type.Array(
  Type.Object({
    file: Type.String(),
    line: Type.Integer(),
    firstLine: Type.Integer({ minimum: 1 }),
    lines: Type.Array(Type.String(), { maxItems: 50 }),
  }),
  { maxItems: 50 },
)

/** Returns the source lines around a frame if the sender included them in the attribute `sourceLines`, otherwise `null`. */
export function reportedCode({ sourceLines: given }: Attributes, { file, line }: StackFrame): Frame['code'] {
  if (!Value.Check(sourceLines, given)) return null
  const found = given.find(each => each.file === file && each.line === line)
  return found === undefined ? null : { firstLine: found.firstLine, lines: found.lines }
}
