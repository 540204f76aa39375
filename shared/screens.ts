/** The screens in the order of the menu. Each side has one registry with the same keys. */
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

/** Returns the screen at exactly this path, or `undefined`: no trailing slash, no other spelling. */
export function screenAt(pathname: string): ScreenId | undefined {
  return screenIds.find(id => screens[id].path === pathname)
}

export function isScreenId(value: unknown): value is ScreenId {
  return typeof value === 'string' && Object.hasOwn(screens, value)
}
