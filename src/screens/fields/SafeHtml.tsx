import { useLayoutEffect, useRef } from 'react'
import { sanitizedNodes } from './sanitize.ts'
import './rich-text.css'

/** Formatted text, sanitised again where it is shown. */
export function SafeHtml({ html }: { html: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(...sanitizedNodes(html ?? '')), [html])
  return <div className="rich-text" ref={place} />
}
