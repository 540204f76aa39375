import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { spanWords } from '../../../shared/range.ts'
import { Chip } from '../../components/chip.tsx'
import { Drawn } from '../../components/drawn.tsx'
import { plainText } from '../../components/plain-text.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { Section } from '../../components/section.tsx'
import { NoRequests } from './no-requests.tsx'
import { Releases } from './releases.tsx'
import { RequestNumbers } from './request-numbers.tsx'
import { Routes } from './routes.tsx'
import { useReadOuts } from './use-read-outs.ts'
import { hiddenFields, view } from './view.ts'
import { Vitals } from './vitals.tsx'
import { Workings } from './workings.tsx'

/** How well requests are answered: now against the period before, over time, by route. */
export default function Dashboard({ content }: { content: Contents['dashboard'] }) {
  const { range, service, now } = content
  const during = 'span' in range ? spanWords[range.span] : 'this time'
  const screen = useReadOuts(content)
  return (
    <div className="dashboard" ref={screen}>
      <header className="dashboard-head">
        <h1>{service === null ? 'Requests of all services' : `Requests of ${plainText(service)}`}</h1>
        <RangePicker
          range={range}
          hrefFor={each => paths.dashboard({ ...view(content), range: each })}
          action={paths.dashboard()}
          hidden={hiddenFields(view(content))}
        />
      </header>
      {content.services.length > 0 && <Services content={content} />}
      {now.requests === 0 ? (
        <NoRequests content={content} during={during} />
      ) : (
        <>
          <RequestNumbers content={content} />
          <div className="dashboard-charts">
            {content.charts.map(({ id, title, unit, chart }) => (
              <Section key={id} id={id} title={title} count={unit}>
                <Drawn markup={chart} />
              </Section>
            ))}
          </div>
          <Releases releases={content.releases} releaseCount={content.releaseCount} />
          <Section
            id="durations"
            title="Durations"
            count="requests by time and duration; a cell leads to its requests"
          >
            <Drawn markup={content.heatMap} className="dashboard-map" />
          </Section>
          <Routes content={content} during={during} />
        </>
      )}
      <Vitals rows={content.vitals} during={during} />
      <Workings content={content} during={during} />
    </div>
  )
}

function Services({ content }: { content: Contents['dashboard'] }) {
  return (
    <nav className="dashboard-services" aria-label="Service">
      <Chip
        href={paths.dashboard({ ...view(content), service: undefined })}
        active={content.service === null}
      >
        All services
      </Chip>
      {content.services.map(service => (
        <Chip
          key={service}
          href={paths.dashboard({ ...view(content), service })}
          active={service === content.service}
        >
          <bdi>{plainText(service)}</bdi>
        </Chip>
      ))}
    </nav>
  )
}
