/** The `event.name` of events that count the sessions of an application's users (`sessions.started`, …). */
export const sessionEventName = 'sixpane.sessions'
