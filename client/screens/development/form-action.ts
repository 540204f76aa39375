import { joinUrl, splitUrl } from '../../../shared/split-url.ts'
import { usePage } from '../../page.ts'

/**
 * Returns the action of a form on this screen. It contains the page's URL, because `location` already contains the next URL
 * while the next page loads. On a failure's page, the action contains the id of the displayed failure, because the digest in
 * the page's URL may lead to another failure by the time the form is submitted. On the list, the action contains neither a
 * failure nor a digest, because the list is also shown if the requested failure or digest was not found.
 * @param part the id of the section that contains the result
 */
export function useDevelopmentAction(part: string): string {
  const { url, screen, content } = usePage()
  const { path, params } = splitUrl(url)
  if (screen === 'development' && content.view === 'failure') params.set('shown', content.failure.id)
  else for (const name of ['failure', 'digest']) params.delete(name)
  return `${joinUrl(path, params)}#${part}`
}
