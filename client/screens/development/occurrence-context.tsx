import type { OccurrenceContext as Context, FailureDetail } from '../../../shared/screens/development.ts'
import { LongText } from '../../components/long-text.tsx'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { TagList } from '../../components/tag-list.tsx'
import { Time } from '../../components/time.tsx'
import { OtherOccurrence } from './other-occurrence.tsx'

/** The page, the user and the tags of an occurrence, and what happened before it. */
export function OccurrenceContext({ context, failure }: { context: Context; failure: FailureDetail }) {
  const other = failure.stackOccurrence
  const { url, user, userAgent, tags, breadcrumbs } = context
  return (
    <section className="failure-context" aria-labelledby="context">
      <h3 id="context">Context of {other === null ? 'this' : 'another'} occurrence</h3>
      {other !== null && (
        <OtherOccurrence
          failure={failure}
          occurrence={other}
          subject="This context and the stack trace are"
        />
      )}
      <dl className="failure-facts">
        {url !== null && (
          <div>
            <dt>URL</dt>
            <dd>
              <LongText text={url} />
            </dd>
          </div>
        )}
        {user !== null && (
          <div>
            <dt>User</dt>
            <dd>
              <bdi>{plainText(user)}</bdi>
            </dd>
          </div>
        )}
        {userAgent !== null && (
          <div>
            <dt>User agent</dt>
            <dd>
              <bdi>{plainText(userAgent)}</bdi>
            </dd>
          </div>
        )}
        {tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>
              <TagList names={tags.map(({ name, value }) => `${name}: ${value}`)} limit={12} />
            </dd>
          </div>
        )}
      </dl>
      {breadcrumbs.length > 0 && <Breadcrumbs breadcrumbs={breadcrumbs} />}
    </section>
  )
}

/** The number of breadcrumbs that are always visible. The latest ones are usually closest to the cause. */
const shownBreadcrumbs = 10

function Breadcrumbs({ breadcrumbs }: Pick<Context, 'breadcrumbs'>) {
  const earlier = breadcrumbs.slice(0, -shownBreadcrumbs)
  return (
    <>
      <h3 id="breadcrumbs">Breadcrumbs</h3>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <BreadcrumbTable caption="Earlier breadcrumbs, oldest first" breadcrumbs={earlier} />
        </details>
      )}
      <BreadcrumbTable
        caption="Breadcrumbs before the failure, oldest first"
        breadcrumbs={breadcrumbs.slice(-shownBreadcrumbs)}
      />
    </>
  )
}

function BreadcrumbTable({ caption, breadcrumbs }: { caption: string } & Pick<Context, 'breadcrumbs'>) {
  return (
    <ScrollArea label={caption}>
      <table className="breadcrumbs">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {['Time', 'Level', 'Category', 'Message'].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {breadcrumbs.map(({ timeMs, level, category, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs have no ids and never change
            <tr key={index}>
              <td className="mono">{timeMs === null ? '–' : <Time ms={timeMs} precision="millisecond" />}</td>
              <td>{level ?? '–'}</td>
              <td>
                <bdi>{plainText(category ?? '–')}</bdi>
              </td>
              <td>
                <LongText text={message} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
