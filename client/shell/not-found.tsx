import { screenIds, screens } from '../../shared/screens.ts'

/** The page for an unknown path. */
export function NotFound() {
  return (
    <div className="not-found">
      <h1>Page not found</h1>
      <p>Try one of these:</p>
      <ul>
        {screenIds.map(id => (
          <li key={id}>
            <a href={screens[id].path}>{screens[id].title}</a> <code>{screens[id].path}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
