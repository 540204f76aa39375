/** The language of all user-facing text. The text is inline: in components, server-rendered output and messages. */
export const language = 'en'

/** The locale of numbers. Times follow the visitor's preferences. */
export const numberLocale = 'en-US'

/** Month names in formatted dates. Those from `Intl` differ between runtimes. */
export const monthNames = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
] as const
