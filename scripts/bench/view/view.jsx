import { createElement } from 'react'
import page from './page.json'

/**
 * The dashboard, with the same elements as Sixpane's page. Every framework renders this component. Its property `content`,
 * Sixpane's hydration data, is not rendered. It makes the frameworks send as much data as Sixpane does.
 */
export function View() {
  return toElement(page.tree)
}

/** Creates the elements again for every request, as a component that computes its text would. */
function toElement(node) {
  if (typeof node === 'string') return node
  const { tag, props, children } = node
  return createElement(tag, props, ...children.map(toElement))
}
