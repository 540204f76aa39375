/** A map that records which entries change. */
export class RecordedMap<Value> extends Map<string, Value> {
  /**
   * The value of each changed entry before the change; `undefined` if the entry did not exist. `null` while changes are not
   * recorded.
   */
  #before: Map<string, Value | undefined> | null = null

  /** Starts to record changes. */
  record(): void {
    this.#before = new Map()
  }

  /** Ends the recording. Returns the keys of the changed entries. */
  takeChanges(): string[] {
    const changed = [...(this.#before?.keys() ?? [])]
    this.#before = null
    return changed
  }

  /** Ends the recording, and restores the changed entries. */
  undoChanges(): void {
    const before = [...(this.#before ?? [])]
    this.#before = null
    for (const [key, value] of before) {
      if (value === undefined) this.delete(key)
      else this.set(key, value)
    }
  }

  override set(key: string, value: Value): this {
    this.#remember(key)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.#remember(key)
    return super.delete(key)
  }

  #remember(key: string): void {
    if (this.#before !== null && !this.#before.has(key)) this.#before.set(key, this.get(key))
  }
}
