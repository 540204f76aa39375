import { dayMs } from '../../../shared/duration-units.ts'
import type { NotFoundHintsData } from '../../../shared/not-found-hints.ts'
import { paths } from '../../../shared/paths.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { NotFoundHints } from '../../components/not-found-hints.tsx'
import { EmptyState, Notice } from '../../components/notice.tsx'
import { usePage } from '../../page.ts'
import { BothThemes, Example } from './example.tsx'

/** Components that show messages. */
export function Messages() {
  const { nowMs } = usePage()
  const hints: NotFoundHintsData = {
    maxAgeMs: 30 * dayMs,
    maxBytes: 20e9,
    oldestMs: nowMs - 12 * dayMs,
    isLimited: false,
    services: [
      { service: 'shop', lastSeenMs: nowMs - 42_000 },
      { service: 'دفع', lastSeenMs: nowMs - 9 * 60_000 },
    ],
  }
  return (
    <>
      <Example
        title="Notices and empty states"
        id="notices"
        note="Screen readers announce notices; a notice with the tone “bad” interrupts them. An empty state explains why it is empty and what to do."
        keys={[['Tab', 'moves through its links']]}
        code={
          '<Notice tone="warn" title="14 events were dropped">The queue was full.</Notice>\n' +
          '<EmptyState title="No matching events">…</EmptyState>'
        }
      >
        <BothThemes>
          {() => (
            <div className="ui-stack">
              <Notice tone="ok" title="Saved" />
              <Notice tone="neutral" title="Times are in UTC">
                <a href={paths.settings()}>Choose another zone</a>
              </Notice>
              <Notice tone="warn" title="14 events were dropped">
                The queue was full for 3 s.
              </Notice>
              <Notice tone="bad" title="The store cannot be read">
                See the log for the reason.
              </Notice>
              <EmptyState title="No matching events">
                <p>
                  Remove a term from the search, or <a href="#notices">search the last 24 hours</a>.
                </p>
              </EmptyState>
            </div>
          )}
        </BothThemes>
      </Example>
      <Example
        title="Not-found hints"
        id="what-to-check"
        note="Possible reasons when no event has the requested digest."
        keys={[['Tab', 'moves through its links']]}
        code={'<NotFoundHints hints={missing.hints} />'}
      >
        <div className="ui-stack">
          <NotFoundHints hints={hints} />
          <NotFoundHints hints={{ ...hints, maxAgeMs: dayMs, oldestMs: null, services: [] }} />
        </div>
      </Example>
      <Example
        title="Code"
        id="code"
        note="Long lines wrap; the copy button copies the code unchanged."
        keys={[['Enter, Space', 'copy the code; screen readers announce it']]}
        code={'<CodeBlock label="Send lines with curl" language="shell" code={snippet.code} />'}
      >
        <CodeBlock
          label="Send lines with curl"
          language="shell"
          code={
            "curl --data-binary @app.log \\\n  -H 'content-type: application/x-ndjson' \\\n  https://sixpane.example/ingest"
          }
        />
      </Example>
    </>
  )
}
