import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'

/** A time zone field, with suggestions and a button for the browser's time zone. */
export function TimeZoneField(props: { value: string; problem: string | undefined; timeZones: string[] }) {
  const { value, problem, timeZones } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  // Set after hydration, because the server does not know the browser's time zone.
  const [browserZone, setBrowserZone] = useState<string | null>(null)
  useEffect(() => setBrowserZone(new Intl.DateTimeFormat().resolvedOptions().timeZone), [])

  function fillIn() {
    if (input.current === null || browserZone === null) return
    input.current.value = browserZone
    input.current.form?.requestSubmit()
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
        hint="Used for all times, e.g. Europe/Vienna or UTC"
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
      {browserZone !== null && browserZone !== value && <Button onClick={fillIn}>Use {browserZone}</Button>}
    </div>
  )
}
