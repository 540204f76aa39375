// @ts-check
/**
 * `npm run icons`: writes the icons of Sixpane, taken from Lucide (https://lucide.dev, ISC licence), to
 * client/components/icon-paths.ts. The other icons of the set are not shipped.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare/root.mjs'

/** The names of the icons in Sixpane and in Lucide. */
export const names = {
  home: 'house',
  activities: 'list',
  dashboard: 'chart-line',
  development: 'code-xml',
  settings: 'sliders-horizontal',
  ui: 'layout-grid',
  search: 'search',
  command: 'terminal',
  down: 'chevron-down',
  right: 'chevron-right',
  include: 'plus',
  exclude: 'minus',
  copy: 'copy',
  check: 'check',
  close: 'x',
  play: 'play',
  pause: 'pause',
  clock: 'clock',
  trace: 'ellipsis',
  debug: 'bug',
  info: 'info',
  warn: 'triangle-alert',
  error: 'circle-x',
  fatal: 'octagon-alert',
  returned: 'undo-2',
  muted: 'bell-off',
  silent: 'circle-minus',
}

const target = join(root, 'client', 'components', 'icon-paths.ts')

/** Generates the module, with each icon as one path on a 24 px grid. */
export async function iconModule() {
  const require = createRequire(import.meta.url)
  const nodes = JSON.parse(await readFile(require.resolve('lucide-static/icon-nodes.json'), 'utf8'))
  const icons = Object.entries(names).map(([name, lucide]) => {
    if (nodes[lucide] === undefined) throw new Error(`Lucide has no icon ${lucide}`)
    const pieces = nodes[lucide].map((/** @type {[string, Attributes]} */ [tag, attributes]) =>
      pathOf(tag, attributes),
    )
    return `  ${name}: '${pieces.join('')}',\n`
  })
  return `// Written by \`npm run icons\` from Lucide (https://lucide.dev, ISC licence).
export const iconPaths = {
${icons.join('')}} as const
`
}

/** @typedef {Record<string, string>} Attributes */

/**
 * Converts a shape to path data, so that an icon is one element: a page of the log has hundreds of icons.
 * @param {string} tag
 * @param {Attributes} attributes
 */
function pathOf(tag, attributes) {
  const at = (/** @type {string} */ name) => Number(attributes[name] ?? 0)
  switch (tag) {
    case 'path':
      return withAbsoluteStart(String(attributes.d))
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
    case 'circle':
      return `M${at('cx') - at('r')} ${at('cy')}a${at('r')} ${at('r')} 0 1 0 ${2 * at('r')} 0a${at('r')} ${at('r')} 0 1 0 ${-2 * at('r')} 0`
    case 'rect': {
      const [x, y, r] = [at('x'), at('y'), at('rx')]
      const [width, height] = [at('width') - 2 * r, at('height') - 2 * r]
      const corner = (/** @type {number} */ toX, /** @type {number} */ toY) =>
        `a${r} ${r} 0 0 1 ${toX} ${toY}`
      return `M${x + r} ${y}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}z`
    }
    default:
      throw new Error(`Can't convert <${tag}> to a path`)
  }
}

/**
 * Makes the first move of a path absolute, so that the path can follow another one. Lines without a letter after the move
 * stay relative (https://www.w3.org/TR/SVG2/paths.html#PathDataMovetoCommands).
 * @param {string} d
 */
function withAbsoluteStart(d) {
  const [move = '', x, y] = /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)[\s,]*/.exec(d) ?? []
  if (move === '') return d
  const rest = d.slice(move.length)
  return `M${x} ${y}${/^[-\d.]/.test(rest) ? 'l' : ''}${rest}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(target, await iconModule())
  console.log(`Wrote ${Object.keys(names).length} icons`)
}
