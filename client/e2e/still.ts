/**
 * Options for tests in which the transitions between pages do not matter. Drawing a transition without a GPU takes longer than
 * loading the page.
 */
export const still = { contextOptions: { reducedMotion: 'reduce' } } as const
