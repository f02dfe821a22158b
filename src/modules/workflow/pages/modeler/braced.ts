/** An expression as models have it. */
export const braced = (inside: string): string => `\${${inside}}`
