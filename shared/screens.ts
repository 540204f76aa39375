/** In menu order. A literal, so that bundlers can remove it from bundles without screens, such as `sixpane/browser`. */
export const screenIds = ['home', 'activities', 'dashboard', 'development', 'settings', 'ui'] as const
export type ScreenId = (typeof screenIds)[number]

/** The screens. The server and the client each have a registry with the same keys. */
export const screens = {
  home: { path: '/', title: 'Home' },
  activities: { path: '/activities', title: 'Activities' },
  dashboard: { path: '/dashboard', title: 'Dashboard' },
  development: { path: '/development', title: 'Development' },
  settings: { path: '/settings', title: 'Settings' },
  ui: { path: '/ui', title: 'UI' },
} as const satisfies Record<ScreenId, { path: string; title: string }>

/** Returns the screen with exactly this path; `undefined` for variants, such as a path with a trailing slash. */
export function screenAt(pathname: string): ScreenId | undefined {
  return screenIds.find(id => screens[id].path === pathname)
}

export function isScreenId(value: unknown): value is ScreenId {
  return typeof value === 'string' && Object.hasOwn(screens, value)
}
