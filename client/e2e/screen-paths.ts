import { paths } from '../../shared/paths.ts'
import { uiGroups } from '../../shared/screens/ui.ts'
import { screenIds, screens } from '../../shared/screens.ts'

/** The pages of the component catalogue. */
export const cataloguePaths = uiGroups.map(group => paths.ui({ group }))

/** The paths of all screens, including each page of the component catalogue. */
export const screenPaths = screenIds.flatMap(id => (id === 'ui' ? cataloguePaths : [screens[id].path]))
