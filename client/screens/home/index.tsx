import type { Contents } from '../../../shared/content.ts'
import { paths } from '../../../shared/paths.ts'
import { spans, spanWords } from '../../../shared/range.ts'
import { Chip } from '../../components/chip.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { Empty } from '../../components/notice.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { Section } from '../../components/section.tsx'
import { Connect } from './connect.tsx'
import { ServiceTable } from './service-table.tsx'
import { VerdictLine } from './verdict-line.tsx'

/** Is anything wrong right now? */
export default function Home({ content }: { content: Contents['home'] }) {
  const { span, services, failures } = content
  const during = spanWords[span]
  return (
    <div className="home">
      <VerdictLine verdict={content.verdict} />
      <div className="home-box">
        <SearchBox
          action={paths.activities()}
          name="q"
          label="Paste a digest, a request id, a trace id or any text"
          placeholder="Paste a digest, a request id, a trace id or any text"
        />
      </div>
      <nav className="home-spans" aria-label="Time range">
        {spans.map(each => (
          <Chip key={each} href={paths.home({ range: each })} active={each === span}>
            {spanWords[each]}
          </Chip>
        ))}
      </nav>
      {content.onlyOwn && <Connect snippets={content.connect} />}
      {services.length > 0 && (
        <Section title="Services" id="services" count={services.length}>
          <ServiceTable services={services} range={{ span }} caption={`Services, ${during}`} />
        </Section>
      )}
      <Section
        title="Newest failures"
        id="failures"
        actions={<a href={paths.development({ range: { span } })}>All failures</a>}
      >
        {failures.length > 0 ? (
          <FailureList
            failures={failures}
            hrefFor={({ fingerprint }) => paths.development({ failure: fingerprint, range: { span } })}
            caption={`Newest failures, ${during}`}
          />
        ) : (
          <Empty title={`No open failures in the ${during}`}>
            <p>
              An event with an exception or a digest shows up here, together with all the others of the same
              fault.
            </p>
          </Empty>
        )}
      </Section>
    </div>
  )
}
