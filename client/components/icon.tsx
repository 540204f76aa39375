import { iconPaths } from './icon-paths.ts'

export type IconName = keyof typeof iconPaths
export const iconNames = Object.keys(iconPaths).filter((name): name is IconName => name in iconPaths)

/**
 * A Lucide icon; scripts/icons.mjs lists the available ones. Icons only accompany a word, so they are hidden from
 * assistive technology.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  )
}
