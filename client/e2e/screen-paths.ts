import { paths } from '../../shared/paths.ts'
import { uiGroups } from '../../shared/screens/ui.ts'
import { screenIds, screens } from '../../shared/screens.ts'

/** The pages of the component catalogue. */
export const cataloguePaths = uiGroups.map(group => paths.ui({ group }))

/** The path of each screen, and those of all pages of the component catalogue. */
export const screenPaths = screenIds.flatMap(id => (id === 'ui' ? cataloguePaths : [screens[id].path]))
