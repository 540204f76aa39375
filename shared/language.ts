/** The language of all texts. They are inline: in components, in what the server renders, and in messages. */
export const language = 'en'

/** The locale of numbers. Times follow the visitor's preferences. */
export const numberLocale = 'en-US'
