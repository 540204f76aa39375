/**
 * Every icon of the product: strokes on a 16 px grid. They stand beside a word, never in its place, so they
 * are hidden from assistive technology.
 */
const icons = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5M6.5 13V9.5h3V13',
  activities: 'M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5',
  dashboard: 'M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-4.5',
  development: 'M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4',
  settings: 'M2.5 5H8M12 5h1.5M2.5 11H4M8 11h5.5M10 3v4M6 9v4',
  ui: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM11.25 9v4.5M9 11.25h4.5',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.3 10.3l3.2 3.2',
  command: 'm3 4.5 3.5 3.5L3 11.5M8.5 12H13',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  include: 'M8 3v10M3 8h10',
  exclude: 'M3 8h10',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  check: 'm3 8.5 3 3 7-7',
  close: 'm4 4 8 8M12 4l-8 8',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 5v3l2 2',
  trace: 'M3 8h.01M8 8h.01M13 8h.01',
  debug: 'M6 3 3 8l3 5M10 3l3 5-3 5',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 7.5V11M8 5h.01',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5h.01',
  error: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  fatal: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM8 4.8v3.8M8 11h.01',
  returned: 'M5.5 3.5l-3 3 3 3M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6.5',
  muted: 'M4.5 9V6a3.5 3.5 0 0 1 7 0v3l1.5 2.5H3zM6.5 13.5h3M2.5 2.5l11 11',
  silent: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5.5 8h5',
} as const

export type IconName = keyof typeof icons
export const iconNames = Object.keys(icons).filter((name): name is IconName => name in icons)

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}
