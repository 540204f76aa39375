import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  formatRate,
  formatRatio,
} from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import type { RecordedFigure } from '../../../shared/screens/dashboard.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Figure } from '../../components/figure.tsx'
import { Section } from '../../components/section.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { usePage } from '../../page.ts'

type Content = Pick<Contents['dashboard'], 'process' | 'ingest' | 'recorded'>

/** Sixpane's own figures: the process, and what came in; now, and over the window as it wrote them down. */
export function Workings({ content, during }: { content: Content; during: string }) {
  const { nowMs, preferences } = usePage()
  const { process, ingest, recorded } = content
  const { oldestMs } = ingest
  const over = (figure: RecordedFigure, label: string, format: (value: number) => string) => (
    <Recorded values={recorded.series[figure] ?? []} label={label} format={format} during={during} />
  )
  const questionMs = recorded.series.questionMs?.findLast(value => value !== null) ?? null
  return (
    <div className="dashboard-workings">
      <Section
        title="Sixpane itself"
        id="process"
        actions={<ButtonLink href={recorded.eventsHref}>As events</ButtonLink>}
      >
        <div className="dashboard-figures">
          <Working over={over('eventLoopDelayMs', 'Event-loop delay', formatDuration)}>
            <Figure
              label="Event-loop delay"
              value={formatDuration(process.eventLoopDelayMs)}
              title="p99 of how long work had to wait for its turn"
            />
          </Working>
          <Working over={over('cpuRatio', 'CPU', formatRatio)}>
            <Figure label="CPU" value={formatRatio(process.cpuRatio)} title="Of one core" />
          </Working>
          <Working over={over('heapUsedBytes', 'Heap', formatBytes)}>
            <Figure
              label="Heap"
              value={formatBytes(process.heapUsedBytes)}
              title="JavaScript memory in use"
            />
          </Working>
          <Working over={over('rssBytes', 'Memory', formatBytes)}>
            <Figure
              label="Memory"
              value={formatBytes(process.rssBytes)}
              title="Resident set of the process"
            />
          </Working>
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
          <Working over={over('accepted', 'Accepted', formatCount)}>
            <Figure label="Accepted" value={formatCount(ingest.accepted)} title="Since the start" />
          </Working>
          <Working over={over('refused', 'Refused', formatCount)}>
            <Figure
              label="Refused"
              value={formatCount(ingest.refused)}
              title="Lines since the start that could not be read or found no room"
            />
          </Working>
          <Working over={over('passedOver', 'Passed over', formatCount)}>
            <Figure
              label="Passed over"
              value={formatCount(ingest.passedOver)}
              title="Spans of traces since the start of which nothing is kept: neither requests nor exceptions"
            />
          </Working>
          <Working over={over('dropped', 'Dropped', formatCount)}>
            <Figure
              label="Dropped"
              value={formatCount(ingest.dropped)}
              title="Events of Sixpane's own that found no room"
            />
          </Working>
          <Working over={over('diskBytes', 'On disk', formatBytes)}>
            <Figure label="On disk" value={formatBytes(ingest.diskBytes)} />
          </Working>
          <Working over={over('questionMs', 'Query time', formatDuration)}>
            <Figure
              label="Query time"
              value={formatDuration(questionMs)}
              title="How long the store took for an answer, on average, in the last minute that was written down"
            />
          </Working>
          <Figure label="Kept" value={formatCount(ingest.kept)} />
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

function Working({ children, over }: { children: ReactNode; over: ReactNode }) {
  return (
    <div>
      {children}
      {over}
    </div>
  )
}

function Recorded(props: {
  values: (number | null)[]
  label: string
  format: (value: number) => string
  during: string
}) {
  const { values, label, format, during } = props
  const known = values.filter(value => value !== null)
  const words =
    known.length === 0
      ? `${label}: nothing written down in the ${during}`
      : `${label}, highest in the ${during}: ${format(Math.max(...known))}`
  return <Sparkline values={values.map(value => value ?? 0)} label={words} />
}
