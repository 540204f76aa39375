import { paths } from '../../../shared/paths.ts'
import type { Snippet } from '../../../shared/screens/development.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'
import { FirstEventNotice } from './first-event-notice.tsx'

/** Shows new users how to send a first event and connect a service. */
export function Connect({ snippets }: { snippets: Snippet[] }) {
  return (
    <Section
      title="Connect your first service"
      id="connect"
      actions={<a href={paths.development({ view: 'connect' })}>All integrations</a>}
    >
      <p className="prose muted">
        So far, Sixpane has stored only its own events. New events appear in{' '}
        <a href={paths.activities()}>Activities</a> immediately.
      </p>
      <FirstEventNotice />
      <div className="home-snippets">
        {snippets.map(({ id, title, language, code, note }) => (
          <div key={id}>
            <CodeBlock label={title} language={language} code={code} />
            <p className="prose muted">{note}</p>
          </div>
        ))}
      </div>
    </Section>
  )
}
