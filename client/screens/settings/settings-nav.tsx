import { useEffect, useState } from 'react'
import { type SettingsSection, settingsSections } from '../../../shared/screens/settings.ts'

/** Links to the sections. The section at the top of the window is marked. */
export function SettingsNav({ sections }: { sections: readonly SettingsSection[] }) {
  const current = useCurrentSection()
  return (
    <nav className="settings-parts" aria-label="Settings">
      <ul>
        {sections.map(id => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
              {settingsSections[id]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns `null` without JavaScript, because the server does not know the scroll position. */
function useCurrentSection(): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    const visible = new Map<string, boolean>()
    const ids = Object.keys(settingsSections)
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) visible.set(target.id, isIntersecting)
        setCurrent(last => ids.find(id => visible.get(id)) ?? last)
      },
      // From below the header to the middle of the window.
      { rootMargin: '-80px 0px -50%' },
    )
    for (const id of ids) {
      const section = document.getElementById(id)
      if (section !== null) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return current
}
