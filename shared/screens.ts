/** The six screens: their ids, paths and titles. This is the only place that lists them. */
export const screens = {
  home: { path: '/', title: 'Home' },
  activities: { path: '/activities', title: 'Activities' },
  dashboard: { path: '/dashboard', title: 'Dashboard' },
  development: { path: '/development', title: 'Development' },
  settings: { path: '/settings', title: 'Settings' },
  ui: { path: '/ui', title: 'UI' },
} as const

export type ScreenId = keyof typeof screens

export const screenIds: readonly ScreenId[] = [
  'home',
  'activities',
  'dashboard',
  'development',
  'settings',
  'ui',
]

/** Gives the screen at exactly this path, or `undefined`: no trailing slash, no other spelling. */
export function screenAt(pathname: string): ScreenId | undefined {
  return screenIds.find(id => screens[id].path === pathname)
}
