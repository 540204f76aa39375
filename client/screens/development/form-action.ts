import { joinUrl, splitUrl } from '../../../shared/split-url.ts'
import { usePage } from '../../page.ts'

/**
 * Returns the action of a form: the URL of the displayed page, because `location` already contains the next URL while the
 * next page loads. On a failure's page, it also contains the failure's id, because the digest may lead to another failure
 * when the form is submitted. On the list, it contains neither id nor digest, because the list is also shown if a failure
 * was not found.
 * @param part the id of the section that contains the result
 */
export function useDevelopmentAction(part: string): string {
  const { url, screen, content } = usePage()
  const { path, params } = splitUrl(url)
  if (screen === 'development' && content.view === 'failure') params.set('shown', content.failure.id)
  else for (const name of ['failure', 'digest']) params.delete(name)
  return `${joinUrl(path, params)}#${part}`
}
