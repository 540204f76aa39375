import type { iconNames } from './icon-names.ts'

export type IconName = (typeof iconNames)[number]

/**
 * A Lucide icon; scripts/icons.mjs lists the available ones. Empty for assistive technology, because an icon always
 * accompanies a word. Its shape is in icon-shapes.css.
 */
export function Icon({ name }: { name: IconName }) {
  return <i className="icon" data-icon={name} />
}
