/** The screens, in menu order. The server and the client each have a registry with the same keys. */
export const screens = {
  home: { path: '/', title: 'Home' },
  activities: { path: '/activities', title: 'Activities' },
  dashboard: { path: '/dashboard', title: 'Dashboard' },
  development: { path: '/development', title: 'Development' },
  settings: { path: '/settings', title: 'Settings' },
  ui: { path: '/ui', title: 'UI' },
} as const

export type ScreenId = keyof typeof screens

export const screenIds: readonly ScreenId[] = Object.keys(screens).filter(isScreenId)

/** The screen with exactly this path; `undefined` for other spellings, such as one with a trailing slash. */
export function screenAt(pathname: string): ScreenId | undefined {
  return screenIds.find(id => screens[id].path === pathname)
}

export function isScreenId(value: unknown): value is ScreenId {
  return typeof value === 'string' && Object.hasOwn(screens, value)
}
