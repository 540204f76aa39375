import type { SettingsContent, SettingsSection } from '../../../shared/screens/settings.ts'
import { Notice } from '../../components/notice.tsx'

/** Shows at the top of a section whether its form was saved. */
export function SaveNotice(props: {
  section: SettingsSection
  saved: SettingsContent['saved']
  /** The number of invalid fields. */
  problems: number
}) {
  const { section, saved, problems } = props
  if (problems > 0) {
    return (
      <Notice tone="bad" title="Not saved.">
        Check the {problems === 1 ? 'highlighted field' : `${problems} highlighted fields`}.
      </Notice>
    )
  }
  return saved?.section === section ? <Notice tone="ok" title={saved.text} /> : null
}
