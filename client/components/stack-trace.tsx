import { pluralise } from '../../shared/format.ts'
import type { Frame } from '../../shared/stack.ts'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { PossiblePositions, UnmappedLabel, UnmappedReasons } from './unmapped-frames.tsx'

type FrameGroup = { inApp: boolean; frames: { frame: Frame; index: number }[] }

/** Outer frames beyond this number of groups are collapsed, because the cause is near the innermost call. */
const groupLimit = 24

/** A stack trace, innermost call first. Application frames show their code; library frames are collapsed. */
export function StackTrace({ frames, stack }: { frames: Frame[]; stack: string | null }) {
  const onlyRaw = frames.length === 0
  const all = groupFrames(frames)
  const outer = all.slice(groupLimit)
  return (
    <div className="stack">
      {!onlyRaw && <FrameGroups groups={all.slice(0, groupLimit)} />}
      {outer.length > 0 && (
        <details className="stack-outer">
          <summary>
            {pluralise(
              outer.reduce((sum, group) => sum + group.frames.length, 0),
              'outer frame',
            )}
          </summary>
          <FrameGroups groups={outer} />
        </details>
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

function FrameGroups({ groups }: { groups: FrameGroup[] }) {
  return (
    <ol className="stack-frames">
      {groups.map(group => (
        <li key={group.frames[0]?.index}>
          {group.inApp ? <Frames group={group} /> : <FoldedFrames group={group} />}
        </li>
      ))}
    </ol>
  )
}

function FoldedFrames({ group }: { group: FrameGroup }) {
  const { length } = group.frames
  return (
    <details className="stack-folded">
      <summary>{pluralise(length, 'library frame')}</summary>
      <Frames group={group} />
    </details>
  )
}

function Frames({ group }: { group: FrameGroup }) {
  return group.frames.map(({ frame, index }) => <FrameRow key={index} frame={frame} />)
}

function FrameRow({ frame }: { frame: Frame }) {
  const { functionName, file, line, column, code, unmapped } = frame
  const position = [file, line, column].filter(part => part !== null).join(':')
  return (
    <div className="stack-frame" data-in-app={frame.inApp}>
      <p>
        <span className="stack-function">
          <bdi>{plainText(functionName ?? '(anonymous)')}</bdi>
        </span>{' '}
        <span className="stack-place">
          <bdi>{plainText(position)}</bdi>
        </span>
        {unmapped !== null && <UnmappedLabel reason={unmapped.reason} />}
      </p>
      {unmapped !== null && unmapped.positions.length > 0 && (
        <PossiblePositions positions={unmapped.positions} />
      )}
      {code !== null && code.lines.length > 0 && <Code code={code} line={line} />}
    </div>
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

/** Groups adjacent frames of the same kind. */
function groupFrames(frames: Frame[]): FrameGroup[] {
  const all: FrameGroup[] = []
  frames.forEach((frame, index) => {
    const last = all.at(-1)
    if (last !== undefined && last.inApp === frame.inApp) last.frames.push({ frame, index })
    else all.push({ inApp: frame.inApp, frames: [{ frame, index }] })
  })
  return all
}
