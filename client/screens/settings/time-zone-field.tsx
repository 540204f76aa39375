import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'

/** A time zone by its name, with the known ones to choose from, and the browser's own at hand. */
export function TimeZoneField(props: { value: string; problem: string | undefined; timeZones: string[] }) {
  const { value, problem, timeZones } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  // Only the browser knows it: the server can't offer it.
  const [own, setOwn] = useState<string | null>(null)
  useEffect(() => setOwn(new Intl.DateTimeFormat().resolvedOptions().timeZone), [])

  function takeOwn() {
    if (input.current === null || own === null) return
    input.current.value = own
    input.current.focus()
  }

  return (
    <div className="settings-zone">
      <TextField
        ref={input}
        label="Time zone"
        name="timeZone"
        defaultValue={value}
        problem={problem}
        hint="Every time on every screen is shown in it. A name such as Europe/Vienna, or UTC."
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <datalist id={listId}>
        {timeZones.map(zone => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {own !== null && own !== value && <Button onClick={takeOwn}>Use {own}</Button>}
    </div>
  )
}
