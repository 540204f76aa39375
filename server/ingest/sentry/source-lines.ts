import type { Attributes } from '../../../shared/event.ts'
import { locateFile } from '../../stacks/file-location.ts'
import type { ThrownException } from '../../stacks/thrown-exception.ts'

/** The maximum number of application frames whose source lines are stored, innermost first. */
const maxFrames = 5
const contextLines = 5
const maxLineLength = 300

/**
 * Returns the source lines around application frames, which the SDK has read from the application's files. The page of a
 * failure shows them if there is no source map.
 */
export function sourceLinesOf(chain: readonly ThrownException[]): Attributes[] {
  return chain
    .flatMap(({ frames }) => frames.toReversed())
    .filter(({ file, source }) => source !== null && file !== null && locateFile(file).inApp)
    .slice(0, maxFrames)
    .flatMap(({ file, line, source }) => {
      if (file === null || line === null || source === null) return []
      const before = source.before.slice(-contextLines)
      const lines = [...before, source.line, ...source.after.slice(0, contextLines)]
      const firstLine = line - before.length
      return firstLine < 1
        ? []
        : { file, line, firstLine, lines: lines.map(text => text.slice(0, maxLineLength)) }
    })
}
