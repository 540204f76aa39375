import { paths } from '../../../shared/paths.ts'
import type { Range } from '../../../shared/range.ts'
import { searchExamples } from '../../../shared/search-examples.ts'

/** Explains the search language with examples that link to their results. */
export function SearchHelp({ range, open }: { range: Range; open: boolean }) {
  return (
    <details className="activities-language" open={open}>
      <summary>Search syntax</summary>
      <dl>
        {searchExamples.map(({ q, meaning }) => (
          <div key={q}>
            <dt>
              <a href={paths.activities({ q, range })}>
                <code>{q}</code>
              </a>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
