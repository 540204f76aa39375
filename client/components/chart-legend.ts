/**
 * Turns the names in a chart's legend into buttons: a click shows only that series, and a Shift-click shows or hides it.
 * If no other series is shown, either click shows all series.
 * @param hidden the names of the hidden series, which the buttons change
 */
export function createLegend(
  figure: HTMLElement,
  names: readonly string[],
  hidden: Set<string>,
  onChange: () => void,
): void {
  const items = [...figure.querySelectorAll('.chart-legend > li')].slice(0, names.length)
  const buttons = items.map((item, index) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.title = 'Click to show only this series. Shift-click to show or hide it.'
    button.append(...item.childNodes)
    item.append(button)
    button.addEventListener('click', event => {
      choose(names, names[index] ?? '', hidden, event.shiftKey)
      update()
      onChange()
    })
    return button
  })
  const update = () => {
    for (const [index, button] of buttons.entries())
      button.ariaPressed = String(!hidden.has(names[index] ?? ''))
  }
  update()
}

/** Updates the hidden series after a click. At least one series stays visible. */
export function choose(
  names: readonly string[],
  chosen: string,
  hidden: Set<string>,
  isToggle: boolean,
): void {
  const others = names.filter(name => name !== chosen)
  const isOnly = !hidden.has(chosen) && others.every(name => hidden.has(name))
  if (isOnly) hidden.clear()
  else if (!isToggle) {
    for (const name of others) hidden.add(name)
    hidden.delete(chosen)
  } else if (!hidden.delete(chosen)) hidden.add(chosen)
}
