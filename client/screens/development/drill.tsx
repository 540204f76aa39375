import type { DevelopmentDrill } from '../../../shared/screens/development.ts'
import { Section } from '../../components/section.tsx'

/** Links that cause failures, so that users can practise finding the cause. */
export function Drill({ content: { drill } }: { content: DevelopmentDrill }) {
  return (
    <Section title="Drill" id="drill">
      {drill === null ? (
        <p className="prose muted">
          Start Sixpane with <code>SIXPANE_DRILL=1</code> to trigger failures here and practise following the
          digest on the error page to its cause.
        </p>
      ) : (
        <>
          <p className="prose muted">
            Each link makes this screen fail. Paste the digest from the error page into the search box above
            to find the exception.
          </p>
          <ul className="development-drills">
            {drill.map(({ stage, label, href }) => (
              <li key={stage}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
