import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import { settingsSections } from '../../../shared/screens/settings.ts'
import { RawHtml } from '../../components/raw-html.tsx'
import { Section } from '../../components/section.tsx'

/** All settings of the server, with links to the forms that can change them. */
export function Environment({ table }: { table: HtmlFragment }) {
  return (
    <Section title={settingsSections.service} id="service">
      <p className="muted prose">
        Sixpane’s environment variables. A change takes effect after a restart, unless the variable has a
        “Change” link.
      </p>
      <RawHtml fragment={table} />
    </Section>
  )
}
