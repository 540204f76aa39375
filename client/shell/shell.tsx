import type { ReactNode } from 'react'
import { paths } from '../../shared/paths.ts'
import { type ScreenId, screenIds, screens } from '../../shared/screens.ts'
import { announcerId } from '../announce.ts'
import { Icon } from '../components/icon.tsx'
import { ScriptOnly } from '../components/script-only.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { usePage } from '../page.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { PaletteButton } from './palette-button.tsx'

/** The layout of every page: header, navigation, search field and content. */
export function Shell({ children }: { children: ReactNode }) {
  const { screen, url } = usePage()
  return (
    <div className="shell" data-searchable={screen === 'home' || screen === 'activities' || undefined}>
      <a className="shell-skip" href="#main">
        Skip to content
      </a>
      <div className="shell-pending" aria-hidden="true" />
      <header className="shell-head">
        <a className="shell-name" href={paths.home()}>
          <Logo />
          <span>Sixpane</span>
        </a>
        <nav className="shell-nav" aria-label="Screens">
          <ul>
            {screenIds.map(id => (
              <li key={id}>
                <ScreenLink id={id} current={id === screen} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="shell-search">
          <SearchBox
            // Clears the field when the page changes.
            key={url}
            action={paths.activities()}
            name="q"
            label="Search by digest, request ID, trace ID or text"
            placeholder="Search or paste a digest"
            inputId="shell-search"
          />
        </div>
        <PaletteButton />
      </header>
      <main id="main" tabIndex={-1} data-screen={screen ?? 'none'}>
        {children}
      </main>
      <div id={announcerId} className="visually-hidden" role="status" />
      <ScriptOnly>
        <KeysDialog />
      </ScriptOnly>
    </div>
  )
}

function ScreenLink({ id, current }: { id: ScreenId; current: boolean }) {
  return (
    <a href={screens[id].path} aria-current={current ? 'page' : undefined}>
      <Icon name={id} />
      <span>{screens[id].title}</span>
    </a>
  )
}

/** Six panes, one highlighted. */
function Logo() {
  return (
    <svg className="shell-mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="M1 2h5v7H1zM7.5 2h5v7h-5zM1 10.5h5v7H1zM7.5 10.5h5v7h-5zM14 10.5h5v7h-5z" />
      <path className="shell-mark-lit" d="M14 2h5v7h-5z" />
    </svg>
  )
}
