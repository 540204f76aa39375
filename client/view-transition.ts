/**
 * Runs `commit` in a view transition. Resolves when `commit` has returned, even if the animation is skipped.
 * @throws the error of `commit`
 */
export async function commitInTransition(commit: () => void): Promise<void> {
  const { ready, finished, updateCallbackDone } = document.startViewTransition(commit)
  // `ready` rejects if the animation is skipped, for example in a hidden tab, which is not an error. Both promises reject if
  // `commit` fails, but that error is thrown below.
  for (const promise of [ready, finished]) promise.catch(() => {})
  await updateCallbackDone
}
