import { paths } from '../../../shared/paths.ts'
import { connectForm, type DevelopmentConnect } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'
import { useMayChange } from '../../page.ts'

/** Code snippets for all integrations, with buttons that send a test event. Only the first snippet is open. */
export function Connect({ content }: { content: DevelopmentConnect }) {
  const mayChange = useMayChange()
  return (
    <Section title="Connect a service" id="connect">
      <p className="prose muted">
        Services send structured log lines. New events appear in <a href={paths.activities()}>Activities</a>{' '}
        immediately. The <code>sixpane/…</code> modules and the <code>sixpane</code> command come in an npm
        package. Build it with <code>npm run package</code> in Sixpane’s repository, and install it in your
        project first.
      </p>
      <div className="development-snippets">
        {content.connect.map(({ id, title, language, code, note, source }, index) => (
          <details key={id} open={index === 0}>
            <summary>{title}</summary>
            <CodeBlock code={code} language={language} label={title} />
            <p className="prose muted">{note}</p>
            {source !== null && mayChange && (
              <form method="post" action={paths.development()}>
                <input type="hidden" name="form" value={connectForm} />
                <input type="hidden" name="way" value={id} />
                <Button type="submit" aria-label={`Send a test event: ${title}`}>
                  Send a test event
                </Button>
              </form>
            )}
          </details>
        ))}
      </div>
    </Section>
  )
}
