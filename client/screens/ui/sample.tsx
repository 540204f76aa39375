import type { ReactNode } from 'react'

/** The same parts in the light and in the dark theme. */
export function BothThemes({ children }: { children: (theme: 'light' | 'dark') => ReactNode }) {
  return (
    <div className="ui-themes">
      <div data-theme="light">{children('light')}</div>
      <div data-theme="dark">{children('dark')}</div>
    </div>
  )
}

/** What stands under a part's name: what it is for, and what the keyboard does. */
export function Note({ children }: { children: ReactNode }) {
  return <p className="ui-note prose muted">{children}</p>
}
