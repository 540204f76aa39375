import { iconPaths } from './icon-paths.ts'

export type IconName = keyof typeof iconPaths
export const iconNames = Object.keys(iconPaths).filter((name): name is IconName => name in iconPaths)

/**
 * An icon of Lucide; which ones there are is said in scripts/icons.mjs. They stand beside a word, never in its place, so
 * they are hidden from assistive technology.
 */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  )
}
