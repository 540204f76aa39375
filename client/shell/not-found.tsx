import { screenIds, screens } from '../../shared/screens.ts'

/** The page for an unknown path. */
export function NotFound() {
  return (
    <div className="not-found">
      <h1>There is no such page</h1>
      <p>Sixpane has six screens, and this address is none of them:</p>
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
