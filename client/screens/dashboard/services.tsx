import { paths } from '../../../shared/paths.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Icon } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'
import { queryOf } from '../../components/query-of.ts'
import { HiddenFields } from '../../components/search-box.tsx'
import { viewOf } from './dashboard-view.ts'

type Service = DashboardOverview['services'][number]

/** If there are more services, only the worst and the selected one have links, and a search field finds the rest. */
const linkedLimit = 7

const states = { failing: 'error', degraded: 'warn', ok: null } as const

/** Links that select a service, worst first. */
export function Services({ content }: { content: DashboardOverview }) {
  const { services, service: selected } = content
  const listed = services.filter(({ service }, index) => index < linkedLimit || service === selected)
  const view = viewOf(content)
  return (
    <div className="dashboard-services">
      <nav aria-label="Service">
        <ul>
          <li>
            <Chip href={paths.dashboard({ ...view, service: undefined })} active={selected === null}>
              All services
            </Chip>
          </li>
          {listed.map(({ service, state }) => (
            <li key={service}>
              <Chip href={paths.dashboard({ ...view, service })} active={service === selected}>
                <ServiceState state={state} />
                <bdi>{plainText(service)}</bdi>
              </Chip>
            </li>
          ))}
        </ul>
      </nav>
      {services.length > linkedLimit && (
        <form action={paths.dashboard()} method="get">
          <HiddenFields values={queryOf(paths.dashboard({ ...view, service: undefined }))} />
          <div className="search-field">
            <Icon name="search" />
            <input
              // Clears the typed name after another service is selected.
              key={selected}
              name="service"
              type="search"
              list="services"
              placeholder="Find a service"
              aria-label="Find a service"
              autoComplete="off"
            />
          </div>
          <datalist id="services">
            {services.map(({ service }) => (
              <option key={service} value={service} />
            ))}
          </datalist>
          <Button type="submit">Show</Button>
        </form>
      )}
    </div>
  )
}

/** An icon for services with failures or 5xx responses. */
function ServiceState({ state }: Pick<Service, 'state'>) {
  const icon = states[state]
  return (
    icon !== null && (
      <span className="dashboard-service-state" data-tone={icon === 'error' ? 'bad' : 'warn'}>
        <Icon name={icon} />
        <span className="visually-hidden">{state}: </span>
      </span>
    )
  )
}
