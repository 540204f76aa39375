import type { Contents } from '../../../shared/content.ts'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  formatRate,
  formatRatio,
} from '../../../shared/format.ts'
import { Figure } from '../../components/figure.tsx'
import { Section } from '../../components/section.tsx'
import { usePage } from '../../page.ts'

/** Sixpane's own figures: the process, and what came in. */
export function Workings({ process, ingest }: Pick<Contents['dashboard'], 'process' | 'ingest'>) {
  const { nowMs, preferences } = usePage()
  const { oldestMs } = ingest
  return (
    <div className="dashboard-workings">
      <Section title="Sixpane itself" id="process">
        <div className="dashboard-figures">
          <Figure
            label="Event-loop delay"
            value={formatDuration(process.eventLoopDelayMs)}
            title="p99 of how long work had to wait for its turn"
          />
          <Figure label="CPU" value={formatRatio(process.cpuRatio)} title="Of one core" />
          <Figure label="Heap" value={formatBytes(process.heapUsedBytes)} title="JavaScript memory in use" />
          <Figure label="Memory" value={formatBytes(process.rssBytes)} title="Resident set of the process" />
          <Figure label="Running for" value={formatDuration(process.uptimeMs)} />
        </div>
      </Section>
      <Section title="Ingest and store" id="ingest">
        <div className="dashboard-figures">
          <Figure
            label="Events"
            value={formatRate(ingest.eventsPerSecond)}
            title="Over the last ten seconds"
          />
          <Figure label="Accepted" value={formatCount(ingest.accepted)} title="Since the start" />
          <Figure
            label="Refused"
            value={formatCount(ingest.refused)}
            title="Lines since the start that could not be read or found no room"
          />
          <Figure
            label="Passed over"
            value={formatCount(ingest.passedOver)}
            title="Spans of traces since the start of which nothing is kept: neither requests nor exceptions"
          />
          <Figure
            label="Dropped"
            value={formatCount(ingest.dropped)}
            title="Events of Sixpane's own that found no room"
          />
          <Figure label="Kept" value={formatCount(ingest.kept)} />
          <Figure label="On disk" value={formatBytes(ingest.diskBytes)} />
          <Figure
            label="Oldest event"
            value={oldestMs === null ? '–' : formatDuration(Math.max(nowMs - oldestMs, 0))}
            title={oldestMs === null ? undefined : formatInstant(oldestMs, preferences)}
          />
        </div>
      </Section>
    </div>
  )
}
