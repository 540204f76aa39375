import type { SettingsContent, SettingsSection } from '../../../shared/screens/settings.ts'
import { Saved } from './settings-form.tsx'

/** Confirms at the top of a list that one of its items was changed. */
export function SaveNotice(props: { section: SettingsSection; saved: SettingsContent['saved'] }) {
  const { section, saved } = props
  return saved?.section === section ? <Saved saved={saved} /> : null
}
