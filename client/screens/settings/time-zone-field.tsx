import { useId } from 'react'
import { TextField } from '../../components/field.tsx'

/** A time zone field with suggestions. Empty means the time zone of the browser. */
export function TimeZoneField(props: { value: string; problem: string | undefined; timeZones: string[] }) {
  const { value, problem, timeZones } = props
  const listId = useId()
  return (
    <>
      <TextField
        label="Time zone"
        name="timeZone"
        defaultValue={value}
        problem={problem}
        placeholder="Browser time zone"
        hint="Used for all times, e.g. Europe/Vienna or UTC. Leave empty to use the browser’s time zone."
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
    </>
  )
}
