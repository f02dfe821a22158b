/** A text as a part of a pattern for `LIKE`, with everything that would be a wildcard taken literally. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A text as a pattern for `LIKE` that finds it anywhere. */
export const anywhere = (text: string): string => `%${literally(text)}%`
