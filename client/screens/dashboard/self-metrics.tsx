import {
  formatAgo,
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

const metrics: Readonly<
  Record<RecordedMetric, { label: string; title?: string; format: (value: number) => string }>
> = {
  eventLoopDelayMs: { label: 'Event-loop delay', title: 'p99 event-loop delay', format: formatDuration },
  cpuRatio: { label: 'CPU', title: 'Of one core', format: formatRatio },
  heapUsedBytes: { label: 'Heap', title: 'JavaScript memory in use', format: formatBytes },
  rssBytes: { label: 'Memory', title: 'Resident memory', format: formatBytes },
  accepted: { label: 'Accepted', title: 'Since startup', format: formatCount },
  rejected: {
    label: 'Rejected',
    title: 'Since startup: invalid, expired or forbidden items, and events that did not fit in the queue',
    format: formatCount,
  },
  ignored: {
    label: 'Ignored',
    title: 'Since startup: accepted telemetry that Sixpane does not store',
    format: formatCount,
  },
  dropped: {
    label: 'Dropped',
    title: 'Since startup: Sixpane’s own log lines that could not be stored',
    format: formatCount,
  },
  diskBytes: { label: 'On disk', format: formatBytes },
  queryMs: {
    label: 'Query time',
    title: 'Average query time at the end of the time range',
    format: formatDuration,
  },
}

/** Metrics of Sixpane's own process and ingest: the current values, and their history in the window. */
export function SelfMetrics({ content, during }: { content: SelfContent; during: string }) {
  const { nowMs, preferences } = usePage()
  const { process, ingest, recorded } = content
  const { oldestMs } = ingest
  const history = { series: recorded.series, during }
  const latestQueryMs = recorded.series.queryMs?.findLast(value => value !== null) ?? null
  return (
    <div className="dashboard-self-metrics">
      <Section
        title="Sixpane health"
        id="process"
        actions={<ButtonLink href={recorded.eventsHref}>View events</ButtonLink>}
      >
        <div className="dashboard-stats">
          <Metric metric="eventLoopDelayMs" value={process.eventLoopDelayMs} {...history} />
          <Metric metric="cpuRatio" value={process.cpuRatio} {...history} />
          <Metric metric="heapUsedBytes" value={process.heapUsedBytes} {...history} />
          <Metric metric="rssBytes" value={process.rssBytes} {...history} />
          <Stat label="Uptime" value={formatDuration(process.uptimeMs)} />
        </div>
      </Section>
      <Section title="Ingest and store" id="ingest">
        <div className="dashboard-stats">
          <Stat label="Events" value={formatRate(ingest.eventsPerSecond)} title="Over the last ten seconds" />
          <Metric metric="accepted" value={ingest.accepted} {...history} />
          <Metric metric="rejected" value={ingest.rejected} {...history} />
          <Metric metric="ignored" value={totalIgnored(ingest.ignored)} {...history} />
          <Metric metric="dropped" value={ingest.dropped} {...history} />
          <Metric metric="diskBytes" value={ingest.diskBytes} {...history} />
          <Metric metric="queryMs" value={latestQueryMs} {...history} />
          <Stat label="Stored events" value={formatCount(ingest.stored)} />
          <Stat
            label="Oldest event"
            value={oldestMs === null ? '–' : formatAgo(oldestMs, nowMs)}
            title={oldestMs === null ? undefined : formatInstant(oldestMs, preferences)}
          />
        </div>
        <IgnoredKinds counts={ingest.ignored} />
      </Section>
    </div>
  )
}

/** The current value of a metric, and its history in the window. */
function Metric(props: {
  metric: RecordedMetric
  value: number | null
  series: SelfContent['recorded']['series']
  during: string
}) {
  const { metric, value, series, during } = props
  const { label, title, format } = metrics[metric]
  const values = series[metric] ?? []
  const recorded = values.filter(each => each !== null)
  const words =
    recorded.length === 0
      ? `${label}: no data in the ${during}`
      : `${label}, highest in the ${during}: ${format(Math.max(...recorded))}`
  return (
    <div>
      <Stat label={label} value={value === null ? '–' : format(value)} title={title} />
      <Sparkline values={values.map(each => each ?? 0)} label={words} />
    </div>
  )
}

/** Shows how much telemetry of each kind was ignored. */
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
