import { iconPaths } from './icon-paths.ts'

export type IconName = keyof typeof iconPaths
export const iconNames = Object.keys(iconPaths).filter((name): name is IconName => name in iconPaths)

/**
 * A Lucide icon; scripts/icons.mjs lists the available ones. Hidden from assistive technology, because an icon always
 * accompanies a word.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  )
}
