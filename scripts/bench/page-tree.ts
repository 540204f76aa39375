/** An element of a page, or text. */
export type PageNode = string | PageElement
type PageElement = {
  tag: string
  props: Record<string, string | true | Record<string, string> | { __html: string }>
  children: PageNode[]
}

const voidTags = new Set(['br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const reactNames: Readonly<Record<string, string>> = { class: 'className', for: 'htmlFor' }

/**
 * Parses a page rendered by Sixpane into a tree from which React renders the same elements. The content of SVG elements stays
 * text, as in Sixpane, because React would take longer to create elements for it.
 */
export function readPageTree(html: string): PageNode {
  const [, body = ''] = /<div id="root">(.*)<\/div><script type="application\/json"/s.exec(html) ?? []
  const root: PageElement = { tag: 'div', props: { id: 'root' }, children: [] }
  const open = [{ element: root, contentStart: 0 }]
  for (const { 0: token, 1: text, 2: tag, 3: attributes = '', index } of body.matchAll(
    /([^<]+)|<([a-z][\w-]*)([^>]*)>|<[!/][^>]*>/g,
  )) {
    const { element: parent, contentStart } = open.at(-1) ?? { element: root, contentStart: 0 }
    if (text !== undefined) parent.children.push(decode(text))
    else if (tag !== undefined) {
      const element: PageElement = { tag, props: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (!voidTags.has(tag) && !attributes.endsWith('/')) {
        open.push({ element, contentStart: index + token.length })
      }
    } else if (token.startsWith('</')) {
      if (token !== `</${parent.tag}>`) throw new Error(`The page contains ${token} in ${parent.tag}`)
      if (parent.tag === 'svg') {
        parent.props.dangerouslySetInnerHTML = { __html: body.slice(contentStart, index) }
        parent.children = []
      }
      open.pop()
    }
  }
  return root
}

/** Counts the elements of a page, except those that a framework adds to load its code and data. */
export function countElements(html: string): number {
  const [, body = ''] = /<body[^>]*>(.*)/s.exec(html.replace(/<script.*?<\/script>/gs, '')) ?? []
  return body.match(/<(?!link\b|template\b)[a-z]/g)?.length ?? 0
}

function readAttributes(text: string): PageElement['props'] {
  return Object.fromEntries(
    [...text.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name = '', raw = '']) => {
      const value = decode(raw)
      if (name === 'style') return [name, readStyle(value)]
      const isFlag = value === '' && !/^(data-|aria-|alt$|value$)/.test(name)
      return [reactNames[name] ?? name, isFlag ? true : value]
    }),
  )
}

function readStyle(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(';')
      .filter(rule => rule !== '')
      .map(rule => {
        const colon = rule.indexOf(':')
        const name = rule.slice(0, colon).trim()
        const isVariable = name.startsWith('--')
        return [
          isVariable ? name : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          rule.slice(colon + 1).trim(),
        ]
      }),
  )
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
}

function decode(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') =>
      hex === undefined && decimal === undefined
        ? (entities[name] ?? whole)
        : String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}
