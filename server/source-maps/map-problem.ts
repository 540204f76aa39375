/** A source map that can't be used: `message` says in a sentence what is wrong with it. */
export class MapProblem extends Error {
  override name = 'MapProblem'
}
