import type { Contents } from '../../../shared/content.ts'
import { formatCount, formatDuration, formatRate, formatRatio } from '../../../shared/format.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Figure } from '../../components/figure.tsx'
import { Section } from '../../components/section.tsx'

/** The figures of the window, each with what it was in the period before. */
export function RequestNumbers({ content }: { content: Contents['dashboard'] }) {
  const { now, before } = content
  const errors = now.errors === 1 ? '1 failed request' : `${formatCount(now.errors)} failed requests`
  return (
    <Section
      title="Now, and the period before"
      id="figures"
      actions={
        <>
          {now.errors > 0 && <ButtonLink href={content.errorsHref}>{errors}</ButtonLink>}
          <ButtonLink href={content.eventsHref}>All requests in the log</ButtonLink>
        </>
      }
    >
      <div className="dashboard-figures">
        <Figure label="Requests" value={formatCount(now.requests)} before={formatCount(before.requests)} />
        <Figure label="Rate" value={formatRate(now.rate)} before={formatRate(before.rate)} />
        <Figure
          label="Error ratio"
          title="Share of requests answered with a status of 500 or above"
          value={formatRatio(now.errorRatio)}
          before={formatRatio(before.errorRatio)}
        />
        <Figure
          label="p50"
          title="Half of the requests took no longer"
          value={formatDuration(now.p50Ms)}
          before={formatDuration(before.p50Ms)}
        />
        <Figure
          label="p95"
          title="19 of 20 requests took no longer"
          value={formatDuration(now.p95Ms)}
          before={formatDuration(before.p95Ms)}
        />
        <Figure
          label="p99"
          title="99 of 100 requests took no longer"
          value={formatDuration(now.p99Ms)}
          before={formatDuration(before.p99Ms)}
        />
      </div>
    </Section>
  )
}
