import type { Frame, PossiblePlace, Unmapped as Reason, UnmappedReason } from '../../shared/stack.ts'
import { CodeBlock } from './code-block.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import { plainText } from './plain-text.ts'
import { Time } from './time.tsx'

type Explanation = {
  word: string
  /** Whether uploading the maps of the running release helps. */
  upload: boolean
  explain(context: Context): string
}
type Context = { service: string; release: string; candidates: string }

const explanations: Record<UnmappedReason, Explanation> = {
  missing: {
    word: 'no map',
    upload: true,
    explain: ({ release }) =>
      `No source map of this file was uploaded for release ${release}, nor for another.`,
  },
  'wrong-release': {
    word: 'map of another release',
    upload: true,
    explain: ({ release, candidates }) =>
      `The event is of release ${release}; maps of this file were uploaded for ${candidates} only.`,
  },
  'no-release': {
    word: 'no release',
    upload: false,
    explain: ({ candidates }) =>
      `The event names no release (service.version), so no map can be chosen.${
        candidates === '' ? '' : ` Maps of this file were uploaded for ${candidates}.`
      }`,
  },
  'other-build': {
    word: 'map of another build',
    upload: true,
    explain: ({ release }) =>
      `The map of this file in release ${release} has another debug id than the file that ran: the release was built again.`,
  },
  'wrong-service': {
    word: 'map of another service',
    upload: true,
    explain: ({ service, release, candidates }) =>
      `The event is from service ${service}; maps of this file in release ${release} were uploaded for ${candidates} only.`,
  },
  ambiguous: {
    word: 'ambiguous',
    upload: false,
    explain: () =>
      'Several maps of this file fit, and they lead to different places, which are listed below the frame. Give each build its own release or debug ids, and upload its maps with --service.',
  },
  'not-in-map': {
    word: 'not in its map',
    upload: true,
    explain: ({ release }) =>
      `The map of this file does not have this place: what was uploaded for release ${release} is of another build than what ran.`,
  },
  broken: {
    word: 'broken map',
    upload: true,
    explain: () => 'The map of this file can’t be read any more.',
  },
  'no-column': {
    word: 'no column',
    upload: false,
    explain: () =>
      'The stack says the line without the column, and one line of this file holds much of the source.',
  },
}

/** A label beside a frame: why it is not mapped. */
export function UnmappedLabel({ reason }: { reason: UnmappedReason }) {
  return (
    <span className="stack-unmapped">
      <Icon name="warn" />
      {explanations[reason].word}
    </span>
  )
}

/** The positions that several maps give for one frame. */
export function PossiblePlaces({ places }: { places: readonly PossiblePlace[] }) {
  const haveOnePath = places.every(({ path }) => path === places[0]?.path)
  return (
    <ul className="stack-places" aria-label="Possible places">
      {places.map(({ file, line, column, service, path, uploadedMs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two maps may have the same visible fields
        <li key={index}>
          <bdi className="stack-possible">{plainText(`${file}:${line}:${column}`)}</bdi>{' '}
          <span className="muted">
            {haveOnePath ? 'map' : `map of ${plainText(path)}`} for{' '}
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
  const distinct = [...new Map(all.map(unmapped => [sentence(unmapped), unmapped])).values()]
  if (distinct.length === 0) return null
  const fixable = distinct.find(({ reason, release }) => explanations[reason].upload && release !== null)
  return (
    <div className="stack-why">
      <Notice tone="warn" title="Some frames are not those of the source">
        {distinct.map(unmapped => (
          <p key={sentence(unmapped)}>
            <strong>{explanations[unmapped.reason].word}</strong>: {sentence(unmapped)}
          </p>
        ))}
      </Notice>
      {typeof fixable?.release === 'string' && (
        <CodeBlock
          label="Upload the maps of this release, after its build"
          language="shell"
          code={`npx sixpane sourcemaps upload --release ${shellQuote(plainText(fixable.release))} --service ${shellQuote(plainText(fixable.service))} dist/`}
        />
      )}
    </div>
  )
}

function sentence({ reason, service, release, candidates }: Reason): string {
  return explanations[reason].explain({
    service: plainText(service),
    release: plainText(release ?? ''),
    candidates: candidates.map(plainText).join(', '),
  })
}

/** Quotes a text for a POSIX shell. */
function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
