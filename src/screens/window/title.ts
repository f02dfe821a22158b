import { useEffect } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

/** The product's name, as it stands in titles and bars. */
export const PRODUCT = '聚贤'

/** Sets the document's title; the Chinese text is translated. */
export function useTitle(text: string): void {
  const t = useT()
  const title = text ? `${t(text)} · ${t(PRODUCT)}` : t(PRODUCT)
  useEffect(() => {
    document.title = title
  }, [title])
}
