import type { iconNames } from './icon-names.ts'

export type IconName = (typeof iconNames)[number]

/**
 * A Lucide icon; scripts/icons.mjs lists the available icons, and icon-shapes.css contains their shapes. The element is
 * empty, so screen readers skip it: each icon is next to a word or in a control with an accessible name.
 */
export function Icon({ name }: { name: IconName }) {
  return <i className="icon" data-icon={name} />
}
