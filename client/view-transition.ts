/**
 * Runs `commit` in a view transition. Resolves when `commit` has, also if the animation is skipped.
 * @throws what `commit` throws
 */
export async function commitInTransition(commit: () => Promise<void>): Promise<void> {
  const { ready, finished, updateCallbackDone } = document.startViewTransition(commit)
  // These reject when the animation is skipped (a newer click, a hidden tab), which is not an error, and also when
  // `commit` fails, which is thrown below.
  for (const promise of [ready, finished]) promise.catch(() => {})
  await updateCallbackDone
}
