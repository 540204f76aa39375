import type { Unmapped, UnmappedFrame, UnmappedReason } from '../../shared/stack.ts'
import { shellQuote } from '../connect/shell-quote.ts'

type Explanation = {
  word: string
  /** Whether uploading source maps for the event's release helps. */
  upload: boolean
  explain(context: Context): string
}
type Context = { service: string; release: string; candidates: string }

const noOthers = 'Others were not uploaded, or were deleted to stay within SIXPANE_SOURCEMAPS_MB.'

const explanations: Record<UnmappedReason, Explanation> = {
  missing: {
    word: 'no source map',
    upload: true,
    explain: ({ release }) =>
      `No source map for this file is stored for release ${release} or any other: none was uploaded, or it was deleted to stay within SIXPANE_SOURCEMAPS_MB.`,
  },
  'not-built': {
    word: 'no source map for this file',
    upload: false,
    explain: ({ service, release }) =>
      `Source maps were uploaded for release ${release} of service ${service}, but none for this file: the build created none, the uploaded folder contains none, or the map was deleted to stay within SIXPANE_SOURCEMAPS_MB. Enable source maps for all parts of the build; in a Next.js application, withSixpane does this.`,
  },
  'wrong-release': {
    word: 'source map is for another release',
    upload: true,
    explain: ({ release, candidates }) =>
      `The event is from release ${release}; source maps for this file are stored only for ${candidates}. ${noOthers}`,
  },
  'no-release': {
    word: 'no release',
    upload: false,
    explain: ({ candidates }) =>
      `The event has no release (service.version), so no source map can be selected. Set the release in the client that sends the events; in a Next.js application, withSixpane does this.${
        candidates === '' ? '' : ` Source maps for this file were uploaded for ${candidates}.`
      }`,
  },
  'other-build': {
    word: 'source map is from another build',
    upload: true,
    explain: ({ release }) =>
      `The source map for this file in release ${release} has a different debug ID from the file that ran: the release was rebuilt.`,
  },
  'wrong-service': {
    word: 'source map is for another service',
    upload: true,
    explain: ({ service, release, candidates }) =>
      `The event is from service ${service}; source maps for this file in release ${release} are stored only for ${candidates}. ${noOthers}`,
  },
  ambiguous: {
    word: 'ambiguous',
    upload: false,
    explain: () =>
      'Several source maps for this file match; their different positions are listed below the frame. Give each build its own release or debug IDs, and upload its source maps with --service.',
  },
  'not-in-map': {
    word: 'not in the source map',
    upload: true,
    explain: ({ release }) =>
      `The source map for this file does not contain this position: the upload for release ${release} is not from the build that ran.`,
  },
  broken: {
    word: 'source map is corrupt',
    upload: true,
    explain: () => 'The stored source map for this file can’t be read. Upload it again.',
  },
  'no-column': {
    word: 'no column',
    upload: false,
    explain: () =>
      'The stack has line numbers without columns, and one line of this file contains much of the source.',
  },
}

/** Explains why a frame is not mapped, and which upload command, if any, helps. */
export function explainUnmapped({
  reason,
  service,
  release,
  candidates,
  positions,
}: Unmapped): UnmappedFrame {
  const { word, upload, explain } = explanations[reason]
  return {
    word,
    explanation: explain({ service, release: release ?? '', candidates: candidates.join(', ') }),
    uploadCommand:
      upload && release !== null
        ? `npx --no-install sixpane sourcemaps upload --release ${argument(release)} --service ${argument(service)} dist/`
        : null,
    positions,
  }
}

/** Quotes only text that needs it, so that the command is easy to read. */
function argument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text)
}
