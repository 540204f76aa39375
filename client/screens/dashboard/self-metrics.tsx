import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  formatRate,
  formatRatio,
} from '../../../shared/format.ts'
import { type IgnoredCounts, type IgnoredKind, ignoredKinds, totalIgnored } from '../../../shared/ignored.ts'
import type { RecordedMetric, SelfContent } from '../../../shared/screens/dashboard.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Section } from '../../components/section.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { Stat } from '../../components/stat.tsx'
import { usePage } from '../../page.ts'

/** Metrics of Sixpane's own process and ingest: the current values, and their history in the window. */
export function SelfMetrics({ content, during }: { content: SelfContent; during: string }) {
  const { nowMs, preferences } = usePage()
  const { process, ingest, recorded } = content
  const { oldestMs } = ingest
  const history = (metric: RecordedMetric, label: string, format: (value: number) => string) => (
    <HistorySparkline values={recorded.series[metric] ?? []} label={label} format={format} during={during} />
  )
  const queryMs = recorded.series.queryMs?.findLast(value => value !== null) ?? null
  return (
    <div className="dashboard-self-metrics">
      <Section
        title="Sixpane health"
        id="process"
        actions={<ButtonLink href={recorded.eventsHref}>View events</ButtonLink>}
      >
        <div className="dashboard-stats">
          <MetricWithHistory history={history('eventLoopDelayMs', 'Event-loop delay', formatDuration)}>
            <Stat
              label="Event-loop delay"
              value={formatDuration(process.eventLoopDelayMs)}
              title="p99 event-loop delay"
            />
          </MetricWithHistory>
          <MetricWithHistory history={history('cpuRatio', 'CPU', formatRatio)}>
            <Stat label="CPU" value={formatRatio(process.cpuRatio)} title="Of one core" />
          </MetricWithHistory>
          <MetricWithHistory history={history('heapUsedBytes', 'Heap', formatBytes)}>
            <Stat label="Heap" value={formatBytes(process.heapUsedBytes)} title="JavaScript memory in use" />
          </MetricWithHistory>
          <MetricWithHistory history={history('rssBytes', 'Memory', formatBytes)}>
            <Stat label="Memory" value={formatBytes(process.rssBytes)} title="Resident memory" />
          </MetricWithHistory>
          <Stat label="Uptime" value={formatDuration(process.uptimeMs)} />
        </div>
      </Section>
      <Section title="Ingest and store" id="ingest">
        <div className="dashboard-stats">
          <Stat label="Events" value={formatRate(ingest.eventsPerSecond)} title="Over the last ten seconds" />
          <MetricWithHistory history={history('accepted', 'Accepted', formatCount)}>
            <Stat label="Accepted" value={formatCount(ingest.accepted)} title="Since startup" />
          </MetricWithHistory>
          <MetricWithHistory history={history('rejected', 'Rejected', formatCount)}>
            <Stat
              label="Rejected"
              value={formatCount(ingest.rejected)}
              title="Since startup: lines that were invalid or did not fit in the queue"
            />
          </MetricWithHistory>
          <MetricWithHistory history={history('ignored', 'Ignored', formatCount)}>
            <Stat
              label="Ignored"
              value={formatCount(totalIgnored(ingest.ignored))}
              title="Since startup: accepted telemetry that Sixpane does not store"
            />
          </MetricWithHistory>
          <MetricWithHistory history={history('dropped', 'Dropped', formatCount)}>
            <Stat
              label="Dropped"
              value={formatCount(ingest.dropped)}
              title="Sixpane’s own events dropped because the queue was full"
            />
          </MetricWithHistory>
          <MetricWithHistory history={history('diskBytes', 'On disk', formatBytes)}>
            <Stat label="On disk" value={formatBytes(ingest.diskBytes)} />
          </MetricWithHistory>
          <MetricWithHistory history={history('queryMs', 'Query time', formatDuration)}>
            <Stat
              label="Query time"
              value={formatDuration(queryMs)}
              title="Average query time in the last recorded minute"
            />
          </MetricWithHistory>
          <Stat label="Stored events" value={formatCount(ingest.stored)} />
          <Stat
            label="Oldest event"
            value={oldestMs === null ? '–' : formatDuration(Math.max(nowMs - oldestMs, 0))}
            title={oldestMs === null ? undefined : formatInstant(oldestMs, preferences)}
          />
        </div>
        <IgnoredKinds counts={ingest.ignored} />
      </Section>
    </div>
  )
}

/** Lists what was ignored, by kind. */
function IgnoredKinds({ counts }: { counts: IgnoredCounts }) {
  const kinds = ignoredKinds.flatMap(kind => {
    const count = counts[kind] ?? 0
    return count === 0
      ? []
      : `${formatCount(count)} ${count === 1 ? ignoredNames[kind].one : ignoredNames[kind].many}`
  })
  return kinds.length === 0 ? null : <p className="muted">Ignored since startup: {kinds.join(', ')}</p>
}

const ignoredNames: Readonly<Record<IgnoredKind, { one: string; many: string }>> = {
  span: { one: 'span', many: 'spans' },
  replay: { one: 'session replay', many: 'session replays' },
  profile: { one: 'profile', many: 'profiles' },
  attachment: { one: 'attachment', many: 'attachments' },
  'check-in': { one: 'check-in', many: 'check-ins' },
  metric: { one: 'metric', many: 'metrics' },
  'discarded by an SDK': { one: 'item discarded by an SDK', many: 'items discarded by SDKs' },
  other: { one: 'other item', many: 'other items' },
}

function MetricWithHistory({ children, history }: { children: ReactNode; history: ReactNode }) {
  return (
    <div>
      {children}
      {history}
    </div>
  )
}

function HistorySparkline(props: {
  values: (number | null)[]
  label: string
  format: (value: number) => string
  during: string
}) {
  const { values, label, format, during } = props
  const known = values.filter(value => value !== null)
  const words =
    known.length === 0
      ? `${label}: no data in the ${during}`
      : `${label}, highest in the ${during}: ${format(Math.max(...known))}`
  return <Sparkline values={values.map(value => value ?? 0)} label={words} />
}
