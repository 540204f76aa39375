import { pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { viewOf } from './dashboard-view.ts'

/** Request fields as logged by Fastify and pino-http, and in plain JSON. */
const examples = [
  '{"name":"shop","msg":"request completed","req":{"method":"GET","url":"/cart"},"res":{"statusCode":200},"responseTime":12.5}',
  '{"service":"shop","message":"request completed","method":"GET","route":"/cart/:id","status":200,"durationMs":12.5}',
]

/** Suggests what to do next, and explains which events count as requests. */
export function NoRequests({ content, during }: { content: DashboardOverview; during: string }) {
  const { service, before } = content
  return (
    <EmptyState title={`No requests in the ${during}`}>
      <p>
        {before !== null &&
          before.requests > 0 &&
          `The previous period had ${pluralise(before.requests, 'request')}. `}
        {service === null ? (
          'Select a longer time range, or '
        ) : (
          <>
            <a href={paths.dashboard({ ...viewOf(content), service: undefined })}>Show all services</a>,{' '}
            <a href={paths.activities({ q: withTerm('', 'service', service), range: content.window })}>
              view its log
            </a>
            , or{' '}
          </>
        )}
        <a href={paths.development({ view: 'connect' })}>connect a service</a>.
      </p>
      <p>
        An event counts as a request if it has a <strong>status</strong> and a <strong>duration</strong>. With
        a <strong>route</strong>, it is also counted by route. Example lines:
      </p>
      <CodeBlock label="Example request lines" language="json" code={examples.join('\n')} />
    </EmptyState>
  )
}
