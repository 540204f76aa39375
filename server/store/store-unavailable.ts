/**
 * The store cannot be used. `message` explains the cause and the fix to the operator. The build keeps this file separate,
 * because the server and a separately loaded engine must share the class.
 */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
