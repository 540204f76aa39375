import { paths } from '../../../shared/paths.ts'
import type { Range } from '../../../shared/range.ts'
import { searchExamples } from '../../../shared/search-examples.ts'
import { Menu } from '../../components/menu.tsx'

/** Explains the search language with examples that link to their results. */
export function SearchHelp({ range }: { range: Range }) {
  return (
    <Menu
      label={<span className="visually-hidden">Search syntax</span>}
      icon="help"
      className="activities-language"
    >
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
    </Menu>
  )
}
