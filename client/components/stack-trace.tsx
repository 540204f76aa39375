import { pluralise } from '../../shared/format.ts'
import type { Frame } from '../../shared/stack.ts'
import { Copy } from './copy.tsx'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { PossiblePositions, UnmappedLabel, UnmappedReasons } from './unmapped-frames.tsx'

type IndexedFrame = { frame: Frame; index: number }
type FrameGroup = { inApp: boolean; frames: IndexedFrame[] }

/** Outer frames beyond this number of groups are collapsed, because the cause is near the innermost call. */
const groupLimit = 24

/**
 * A stack trace, innermost call first, followed by the stacks of its causes. Shows the code of the first application frame;
 * library frames are collapsed.
 */
export function StackTrace({ frames, stack }: { frames: Frame[]; stack: string | null }) {
  const onlyRaw = frames.length === 0
  const all = groupFrames(frames)
  const outer = all.slice(groupLimit)
  const firstWithCode = frames.findIndex(({ inApp, code }) => inApp && code !== null)
  return (
    <div className="stack">
      {!onlyRaw && (
        <div className="stack-box">
          <FrameGroups groups={all.slice(0, groupLimit)} openIndex={firstWithCode} />
          {outer.length > 0 && (
            <details className="stack-outer">
              <summary>
                {pluralise(
                  outer.reduce((sum, group) => sum + group.frames.length, 0),
                  'outer frame',
                )}
              </summary>
              <FrameGroups groups={outer} openIndex={firstWithCode} />
            </details>
          )}
          {stack !== null && <Copy value={stack} label="Copy stack" />}
        </div>
      )}
      <UnmappedReasons frames={frames} />
      {stack !== null && (
        <details className="stack-raw" open={onlyRaw}>
          <summary>Raw stack trace</summary>
          <pre dir="ltr">{plainText(stack)}</pre>
        </details>
      )}
      {onlyRaw && stack === null && <p className="muted">No stack trace was logged.</p>}
    </div>
  )
}

function FrameGroups({ groups, openIndex }: { groups: FrameGroup[]; openIndex: number }) {
  return (
    <ol className="stack-frames">
      {groups.map(({ inApp, frames }) => {
        const [first] = frames
        const cause = first?.frame.cause ?? null
        const rows = frames.map(({ frame, index }) => (
          <FrameRow key={index} frame={frame} isOpen={index === openIndex} />
        ))
        return (
          <li key={first?.index}>
            {cause !== null && (
              <p className="stack-cause">
                <bdi>{plainText(cause)}</bdi>
              </p>
            )}
            {inApp ? (
              rows
            ) : (
              <details className="stack-folded">
                <summary>{pluralise(frames.length, 'library frame')}</summary>
                {rows}
              </details>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function FrameRow({ frame, isOpen }: { frame: Frame; isOpen: boolean }) {
  const { code, line, unmapped } = frame
  const hasCode = code !== null && code.lines.length > 0
  return (
    <div className="stack-frame" data-in-app={frame.inApp}>
      {hasCode ? (
        <details open={isOpen}>
          <summary>
            <Position frame={frame} />
          </summary>
          <Code code={code} line={line} />
        </details>
      ) : (
        <p>
          <Position frame={frame} />
        </p>
      )}
      {unmapped !== null && unmapped.positions.length > 0 && (
        <PossiblePositions positions={unmapped.positions} />
      )}
    </div>
  )
}

function Position({ frame: { functionName, file, line, column, unmapped } }: { frame: Frame }) {
  const position = [file, line, column].filter(part => part !== null).join(':')
  return (
    <>
      <bdi className="stack-place">{plainText(position)}</bdi>{' '}
      <bdi className="stack-function">{plainText(functionName ?? '(anonymous)')}</bdi>
      {unmapped !== null && <UnmappedLabel word={unmapped.word} />}
    </>
  )
}

function Code({ code, line }: { code: NonNullable<Frame['code']>; line: number | null }) {
  return (
    <ol className="stack-code" start={code.firstLine} dir="ltr">
      {code.lines.map((text, index) => {
        const number = code.firstLine + index
        const hit = number === line
        return (
          <li key={number} value={number} data-hit={hit || undefined}>
            <span className="stack-line-number" aria-hidden="true">
              {hit && <Icon name="right" />}
              {number}
            </span>
            {hit && <span className="visually-hidden">This line: </span>}
            <code>{plainText(text) || ' '}</code>
          </li>
        )
      })}
    </ol>
  )
}

/** Groups adjacent library frames. A cause starts a new group. */
function groupFrames(frames: Frame[]): FrameGroup[] {
  const all: FrameGroup[] = []
  frames.forEach((frame, index) => {
    const last = all.at(-1)
    if (last !== undefined && !last.inApp && !frame.inApp && frame.cause === null)
      last.frames.push({ frame, index })
    else all.push({ inApp: frame.inApp, frames: [{ frame, index }] })
  })
  return all
}
