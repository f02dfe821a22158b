import type { ReactNode } from 'react'

/**
 * Stands in for the Markdown renderer that the form library brings for descriptions (31 KiB): our descriptions are
 * plain text and are shown as such.
 */
export function Markdown({ children }: { children?: ReactNode }): ReactNode {
  return children
}
