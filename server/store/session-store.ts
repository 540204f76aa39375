/** Sessions whose users signed out before the sessions expired. */
export type SessionStore = {
  /** Ends a session. The id is stored until `untilMs`, when the session expires anyway. */
  end(id: string, untilMs: number): Promise<void>
  /** The ids of ended sessions that have not expired. */
  ended(nowMs: number): Promise<string[]>
}
