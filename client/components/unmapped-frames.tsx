import type { Frame, PossiblePosition } from '../../shared/stack.ts'
import { CodeBlock } from './code-block.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import { plainText } from './plain-text.ts'
import { Time } from './time.tsx'

/** A label that shows why a frame is not mapped. */
export function UnmappedLabel({ word }: { word: string }) {
  return (
    <span className="stack-unmapped">
      <Icon name="warn" />
      {word}
    </span>
  )
}

/** The possible positions of a frame if several source maps match. */
export function PossiblePositions({ positions }: { positions: readonly PossiblePosition[] }) {
  const haveSamePath = positions.every(({ path }) => path === positions[0]?.path)
  return (
    <ul className="stack-positions" aria-label="Possible positions">
      {positions.map(({ file, line, column, service, path, uploadedMs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two maps may have the same visible fields
        <li key={index}>
          <bdi className="stack-possible">{plainText(`${file}:${line}:${column}`)}</bdi>{' '}
          <span className="muted">
            {haveSamePath ? 'map' : `map of ${plainText(path)}`} for{' '}
            {service === null ? 'any service' : `service ${plainText(service)}`}, uploaded{' '}
            <Time ms={uploadedMs} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Explains each reason once, with the command that fixes it. */
export function UnmappedReasons({ frames }: { frames: readonly Frame[] }) {
  const all = frames.flatMap(({ inApp, unmapped }) => (inApp && unmapped !== null ? [unmapped] : []))
  const distinct = [...new Map(all.map(unmapped => [unmapped.explanation, unmapped])).values()]
  if (distinct.length === 0) return null
  const command = distinct.find(({ uploadCommand }) => uploadCommand !== null)?.uploadCommand
  return (
    <div className="stack-unmapped-reason">
      <Notice tone="warn" title="Some frames couldn’t be mapped to source">
        {distinct.map(({ word, explanation }) => (
          <p key={explanation}>
            <strong>{word}</strong>: {plainText(explanation)}
          </p>
        ))}
      </Notice>
      {command && (
        <CodeBlock
          label="Upload the source maps of this release after each build"
          language="shell"
          code={plainText(command)}
        />
      )}
    </div>
  )
}
