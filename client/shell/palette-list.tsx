import { useEffect, useRef } from 'react'
import { plainText } from '../components/plain-text.ts'
import type { Command } from './commands.ts'

/** @param id the id of the palette */
export function listId(id: string): string {
  return `${id}-list`
}

/** @param id the id of the palette */
export function optionId(id: string, index: number): string {
  return `${id}-${index}`
}

/** The commands of the palette by group, as a listbox. Scrolls the active command into view. */
export function PaletteList(props: {
  id: string
  commands: readonly Command[]
  activeIndex: number
  onPoint: (index: number) => void
  onSelect: () => void
}) {
  const { id, commands, activeIndex, onPoint, onSelect } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <div ref={list} id={listId(id)} className="palette-list" role="listbox" aria-label="Commands">
      {groups.map((group, groupIndex) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
        <div key={group} role="group" aria-labelledby={`${id}-group-${groupIndex}`}>
          <div id={`${id}-group-${groupIndex}`} className="palette-group">
            {group}
          </div>
          {commands.map(
            (command, index) =>
              command.group === group && (
                <Option
                  key={optionId(id, index)}
                  id={optionId(id, index)}
                  command={command}
                  isActive={index === activeIndex}
                  onPoint={() => onPoint(index)}
                  onSelect={onSelect}
                />
              ),
          )}
        </div>
      ))}
    </div>
  )
}

function Option(props: {
  id: string
  command: Command
  isActive: boolean
  onPoint: () => void
  onSelect: () => void
}) {
  const { id, command, isActive, onPoint, onSelect } = props
  const option = {
    id,
    role: 'option',
    tabIndex: -1,
    className: 'palette-option',
    'aria-selected': isActive,
    onPointerMove: onPoint,
  }
  const words = (
    <>
      <bdi>{plainText(command.label)}</bdi>
      {command.hint && <span className="palette-hint">{plainText(command.hint)}</span>}
    </>
  )
  return 'href' in command ? (
    <a {...option} href={command.href} download={command.isFile} onClick={onSelect}>
      {words}
    </a>
  ) : (
    <button
      type="button"
      {...option}
      onClick={() => {
        // Closes the palette first, so that the focus is restored before the action moves it.
        onSelect()
        command.act()
      }}
    >
      {words}
    </button>
  )
}
