import { useEffect } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

/** The product's name, as it stands in titles and bars. */
export const PRODUCT = '聚贤'

/**
 * Sets the document's title.
 * @param text what the page is called, in Chinese; it is translated
 * @param subject what it shows, as people read it; empty for nothing of its own
 */
export function useTitle(text: string, subject = ''): void {
  const t = useT()
  const title = [text && t(text), subject, t(PRODUCT)].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
