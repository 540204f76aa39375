import type { Frame } from '../../shared/stack.ts'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { PossiblePlaces, Unmapped, WhyUnmapped } from './unmapped.tsx'

type Run = { inApp: boolean; frames: { frame: Frame; index: number }[] }

/** The cause stands near the innermost call: of a deep stack the rest unfolds. */
const shownRuns = 24

/** A stack, innermost call first: own frames with the code around them, frames of libraries folded. */
export function StackTrace({ frames, stack }: { frames: Frame[]; stack: string | null }) {
  const onlyRaw = frames.length === 0
  const all = runs(frames)
  const outer = all.slice(shownRuns)
  return (
    <div className="stack">
      {!onlyRaw && <Runs runs={all.slice(0, shownRuns)} />}
      {outer.length > 0 && (
        <details className="stack-outer">
          <summary>{outer.reduce((sum, run) => sum + run.frames.length, 0)} frames further out</summary>
          <Runs runs={outer} />
        </details>
      )}
      <WhyUnmapped frames={frames} />
      {stack !== null && (
        <details className="stack-raw" open={onlyRaw}>
          <summary>Stack as it was written</summary>
          <pre dir="ltr">{plainText(stack)}</pre>
        </details>
      )}
      {onlyRaw && stack === null && <p className="muted">No stack was written.</p>}
    </div>
  )
}

function Runs({ runs }: { runs: Run[] }) {
  return (
    <ol className="stack-frames">
      {runs.map(run => (
        <li key={run.frames[0]?.index}>{run.inApp ? <Frames run={run} /> : <Folded run={run} />}</li>
      ))}
    </ol>
  )
}

function Folded({ run }: { run: Run }) {
  const { length } = run.frames
  return (
    <details className="stack-folded">
      <summary>
        {length} {length === 1 ? 'frame' : 'frames'} of libraries and the runtime
      </summary>
      <Frames run={run} />
    </details>
  )
}

function Frames({ run }: { run: Run }) {
  return run.frames.map(({ frame, index }) => <OneFrame key={index} frame={frame} />)
}

function OneFrame({ frame }: { frame: Frame }) {
  const { functionName, file, line, column, code, unmapped } = frame
  const place = [file, line, column].filter(part => part !== null).join(':')
  return (
    <div className="stack-frame" data-in-app={frame.inApp}>
      <p>
        <span className="stack-function">
          <bdi>{plainText(functionName ?? '(anonymous)')}</bdi>
        </span>{' '}
        <span className="stack-place">
          <bdi>{plainText(place)}</bdi>
        </span>
        {unmapped !== null && <Unmapped reason={unmapped.reason} />}
      </p>
      {unmapped !== null && unmapped.places.length > 0 && <PossiblePlaces places={unmapped.places} />}
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

/** Neighbours of one kind, together. */
function runs(frames: Frame[]): Run[] {
  const all: Run[] = []
  frames.forEach((frame, index) => {
    const last = all.at(-1)
    if (last !== undefined && last.inApp === frame.inApp) last.frames.push({ frame, index })
    else all.push({ inApp: frame.inApp, frames: [{ frame, index }] })
  })
  return all
}
