import type { Snippet } from '../../../shared/content.ts'
import { paths } from '../../../shared/paths.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'

/** Copy and paste: each way to send events here. */
export function Connect({ snippets }: { snippets: Snippet[] }) {
  return (
    <Section title="Connect a service" id="connect">
      <p className="prose muted">
        Services send their structured log lines. <a href={paths.activities()}>What arrived</a> shows in the
        log at once.
      </p>
      <div className="development-snippets">
        {snippets.map(({ id, title, language, code, note }) => (
          <div key={id} id={`connect-${id}`}>
            <CodeBlock code={code} language={language} label={title} />
            <p className="prose muted">{note}</p>
          </div>
        ))}
      </div>
    </Section>
  )
}
