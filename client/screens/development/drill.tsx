import type { Contents } from '../../../shared/page.ts'
import { Section } from '../../components/section.tsx'

/** Fails on purpose, to practise the way from the failure page to the cause. */
export function Drill({ drill }: Pick<Contents['development'], 'drill'>) {
  return (
    <Section title="Drill" id="drill">
      {drill === null ? (
        <p className="prose muted">
          Start Sixpane with <code>SIXPANE_DRILL=1</code> to fail on purpose from here, and to follow the
          digest of the failure page to its cause.
        </p>
      ) : (
        <>
          <p className="prose muted">
            Each of these fails this very screen. Paste the digest that you then see into the box above: it
            leads to what was thrown.
          </p>
          <ul className="development-drills">
            {drill.map(({ way, label, href }) => (
              <li key={way}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
