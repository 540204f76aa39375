import { formatCount, formatDuration, pluralise } from '../../../shared/format.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import type { Connection } from '../../follow-feed.ts'
import type { Follow } from './use-follow.ts'

const words: Record<Connection, string> = {
  opening: 'Connecting…',
  open: 'Live',
  lost: 'Connection lost, reconnecting…',
  ended: 'Live stream disconnected. Trying again… If this continues, reload the page.',
}

/** The number of results, and a button that starts or pauses the live feed. */
export function FollowBar(props: {
  /** The number of events that match the search. */
  total: number
  /** The number of rows. */
  shown: number
  /** Whether the rows are the newest events. */
  isNewest: boolean
  queryMs: number
  canFollow: boolean
  follow: Follow
}) {
  const { total, shown, isNewest, queryMs, canFollow, follow } = props
  return (
    <div className="activities-bar">
      <p>
        <span data-result="">
          {total > shown && shown > 0 && `${isNewest ? 'Newest ' : ''}${formatCount(shown)} of `}
          <strong>{formatCount(total)}</strong> {total === 1 ? 'event' : 'events'}
        </span>
        <span className="muted"> · {formatDuration(queryMs)}</span>
      </p>
      {canFollow && (
        <div className="activities-follow">
          {follow.on && (
            <span className="muted" data-connection={follow.connection}>
              <output>{words[follow.connection]}</output>
              {follow.perSecond !== null && ` · ${formatCount(follow.perSecond)}/s`}
            </span>
          )}
          <span className="needs-script">
            <Button aria-keyshortcuts="l" onClick={follow.toggle}>
              <Icon name={follow.on ? 'pause' : 'play'} />
              {follow.on ? 'Pause' : 'Live'}
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

/** Counts the new events that are hidden while the visitor reads. Clicking the button shows them. */
export function NewEventsButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="activities-waiting">
      <Button kind="primary" aria-keyshortcuts="l" onClick={onShow}>
        Paused · {pluralise(count, 'new event')} · Jump to latest
      </Button>
    </div>
  )
}
