/** A text as a pattern for `LIKE` that finds it anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
