import type { PaginationProps } from 'antd'
import { type AriaAttributes, cloneElement, isValidElement } from 'react'

/** What the arrows of a list's pages are called; by themselves they say `left` and `right` in every language. */
export const pageItems =
  (t: (text: string) => string): NonNullable<PaginationProps['itemRender']> =>
  (_page, type, element) => {
    if (type !== 'prev' && type !== 'next') return element
    const name = type === 'prev' ? t('上一页') : t('下一页')
    return isValidElement<AriaAttributes>(element) ? cloneElement(element, { 'aria-label': name }) : element
  }
