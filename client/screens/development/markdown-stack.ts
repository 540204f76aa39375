import { pluralise } from '../../../shared/format.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Frame } from '../../../shared/stack.ts'
import { block, inline } from './markdown-code.ts'

/** The maximum number of frames of all exceptions. Each exception has at least `minFrames`, so that every cause is shown. */
const frameLimit = 20
const minFrames = 4

/** The stack of the exception and of each of its causes, and the code of the first application frame. */
export function stackSections({ frames, stack }: FailureDetail, title: string): string[] {
  if (frames.length === 0) return stack === null ? [] : [title, block(stack)]
  const exceptions = splitAtCauses(frames)
  const limit = Math.max(Math.floor(frameLimit / exceptions.length), minFrames)
  const first = frames.find(({ inApp, code }) => inApp && code !== null)
  return [
    title,
    block(exceptions.flatMap(each => formatException(each, limit)).join('\n')),
    ...(first === undefined ? [] : [`### ${inline(formatPosition(first))}`, block(formatCode(first))]),
  ]
}

/** Splits the frames of a stack into those of the exception and those of each cause. */
function splitAtCauses(frames: readonly Frame[]): Frame[][] {
  const exceptions: Frame[][] = []
  for (const frame of frames) {
    const last = exceptions.at(-1)
    if (last === undefined || frame.cause !== null) exceptions.push([frame])
    else last.push(frame)
  }
  return exceptions
}

function formatException(frames: readonly Frame[], limit: number): string[] {
  const cause = frames[0]?.cause ?? null
  const omitted = frames.length - limit
  return [
    ...(cause === null ? [] : [cause]),
    ...frames.slice(0, limit).map(formatFrame),
    ...(omitted > 0 ? [`… ${pluralise(omitted, 'more frame')}`] : []),
  ]
}

function formatFrame(frame: Frame): string {
  return `at ${frame.functionName ?? '(anonymous)'} (${formatPosition(frame)})`
}

function formatPosition({ file, line, column }: Frame): string {
  return [file, line, column].filter(part => part !== null).join(':')
}

function formatCode({ code, line }: Frame): string {
  const { firstLine, lines } = code ?? { firstLine: 1, lines: [] }
  const width = String(firstLine + lines.length).length
  return lines
    .map((text, index) => {
      const number = firstLine + index
      return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`
    })
    .join('\n')
}
