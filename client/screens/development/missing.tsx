import type { Contents } from '../../../shared/content.ts'
import { paths } from '../../../shared/paths.ts'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'

type Lookup = NonNullable<Contents['development']['missing']>

/** A digest or failure that nothing kept has: what may be the reason. */
export function Missing({ missing: { kind, value } }: { missing: Lookup }) {
  return (
    <div className="development-missing">
      <Notice
        tone="warn"
        title={kind === 'digest' ? 'No event with this digest is kept' : 'No such failure is kept'}
      >
        <p>
          <code>{plainText(value)}</code>
        </p>
        <ul>
          <li>Is it whole? It stands behind “Digest:” on the failure page, and is easily cut when copied.</li>
          <li>
            Does the service that showed it send its lines here? Sixpane knows only what was sent to it.
          </li>
          <li>Is it old? Events are dropped after the time that the retention gives them.</li>
          {kind === 'digest' && (
            <li>
              Is it written under another name?{' '}
              <a
                href={paths.activities({ q: `"${value.replaceAll(/["\\]/g, '')}"`, range: { span: '30d' } })}
              >
                Search for it as text
              </a>
              .
            </li>
          )}
        </ul>
      </Notice>
    </div>
  )
}
