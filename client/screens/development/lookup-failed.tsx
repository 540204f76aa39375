import { paths } from '../../../shared/paths.ts'
import type { DevelopmentFailures } from '../../../shared/screens/development.ts'
import { Expired, NotFoundHints } from '../../components/not-found-hints.tsx'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'

type Lookup = NonNullable<DevelopmentFailures['missing']>

/** Reports a digest or failure that was not found, with possible reasons. */
export function LookupFailed({ missing: { kind, value, hints } }: { missing: Lookup }) {
  return (
    <div className="development-missing">
      <Notice
        tone="warn"
        title={kind === 'digest' ? 'No event found for this digest' : 'This failure no longer exists'}
      >
        <p>
          <code>{plainText(value)}</code>
        </p>
        {kind === 'digest' ? (
          <>
            <NotFoundHints hints={hints} />
            <p>
              The digest may be logged under another name:{' '}
              <a
                href={paths.activities({ q: `"${value.replaceAll(/["\\]/g, '')}"`, range: { span: '30d' } })}
              >
                search for the text
              </a>
              .
            </p>
          </>
        ) : (
          <p>
            <Expired hints={hints} />
          </p>
        )}
      </Notice>
    </div>
  )
}
