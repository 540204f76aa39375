import type { Frame, Unmapped as Reason, UnmappedReason } from '../../shared/content.ts'
import { CodeBlock } from './code-block.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'
import { plainText } from './plain-text.ts'

type Explanation = {
  word: string
  /** Uploading the maps of the release that runs helps. */
  upload: boolean
  why(unmapped: Shown): string
}
type Shown = { release: string; candidates: string }

const explanations: Record<UnmappedReason, Explanation> = {
  missing: {
    word: 'no map',
    upload: true,
    why: ({ release }) => `No source map of this file was uploaded for release ${release}, nor for another.`,
  },
  'wrong-release': {
    word: 'map of another release',
    upload: true,
    why: ({ release, candidates }) =>
      `The event is of release ${release}; maps of this file were uploaded for ${candidates} only.`,
  },
  'no-release': {
    word: 'no release',
    upload: false,
    why: ({ candidates }) =>
      `The event names no release (service.version), so no map can be chosen.${
        candidates === '' ? '' : ` Maps of this file were uploaded for ${candidates}.`
      }`,
  },
  'other-build': {
    word: 'map of another build',
    upload: true,
    why: ({ release }) =>
      `The map of this file in release ${release} has another debug id than the file that ran: the release was built again.`,
  },
  ambiguous: {
    word: 'several maps',
    upload: false,
    why: ({ candidates }) =>
      `Several maps fit as well: ${candidates}. Upload the folder from higher up, so that the paths say more.`,
  },
  'not-in-map': {
    word: 'not in its map',
    upload: true,
    why: ({ release }) =>
      `The map of this file does not have this place: what was uploaded for release ${release} is of another build than what ran.`,
  },
  broken: {
    word: 'broken map',
    upload: true,
    why: () => 'The map of this file can’t be read any more.',
  },
  'no-column': {
    word: 'no column',
    upload: false,
    why: () =>
      'The stack says the line without the column, and one line of this file holds much of the source.',
  },
}

/** Beside a frame: in a few words why it is not that of the source. */
export function Unmapped({ reason }: { reason: UnmappedReason }) {
  return (
    <span className="stack-unmapped">
      <Icon name="warn" />
      {explanations[reason].word}
    </span>
  )
}

/** Below the frames: each reason once, and what helps. */
export function WhyUnmapped({ frames }: { frames: readonly Frame[] }) {
  const all = frames.flatMap(({ inApp, unmapped }) => (inApp && unmapped !== null ? [unmapped] : []))
  const different = [...new Map(all.map(unmapped => [sentence(unmapped), unmapped])).values()]
  if (different.length === 0) return null
  const helped = different.find(({ reason, release }) => explanations[reason].upload && release !== null)
  return (
    <div className="stack-why">
      <Notice tone="warn" title="Some frames are not those of the source">
        {different.map(unmapped => (
          <p key={sentence(unmapped)}>
            <strong>{explanations[unmapped.reason].word}</strong>: {sentence(unmapped)}
          </p>
        ))}
      </Notice>
      {typeof helped?.release === 'string' && (
        <CodeBlock
          label="Upload the maps of this release, after its build"
          language="shell"
          code={`npx sixpane sourcemaps upload --release ${quoted(plainText(helped.release))} dist/`}
        />
      )}
    </div>
  )
}

function sentence({ reason, release, candidates }: Reason): string {
  return explanations[reason].why({
    release: plainText(release ?? ''),
    candidates: candidates.map(plainText).join(', '),
  })
}

/** As a shell reads it back, whatever a sender called its release. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
