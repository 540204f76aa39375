import type { iconNames } from './icon-names.ts'

export type IconName = (typeof iconNames)[number]

/**
 * A Lucide icon; scripts/icons.mjs lists the available ones, and icon-shapes.css contains their shapes. The element is
 * empty, so screen readers skip it; an icon always accompanies a word.
 */
export function Icon({ name }: { name: IconName }) {
  return <i className="icon" data-icon={name} />
}
