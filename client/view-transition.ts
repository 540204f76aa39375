/**
 * Runs `commit` in a view transition. Resolves when `commit` has, also if the animation is skipped.
 * @throws what `commit` throws
 */
export async function commitInTransition(commit: () => Promise<void>): Promise<void> {
  const { ready, finished, updateCallbackDone } = document.startViewTransition(commit)
  // Both concern the animation only, which the browser skips when another click overtakes it or the tab is hidden.
  // They also repeat an error of `commit`, which is thrown below.
  for (const promise of [ready, finished]) promise.catch(() => {})
  await updateCallbackDone
}
