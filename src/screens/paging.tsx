import { DownOutlined } from '@ant-design/icons'
import { type PaginationProps, Select } from 'antd'
import { type AriaAttributes, cloneElement, isValidElement, useId } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import { LazyInput } from './fields/LazyInput.tsx'
import './paging.css'

/** Rows on a page that a person may choose. */
const PAGE_SIZES = [10, 30, 50, 100, 200]

/** What the arrows of a list's pages are called; by themselves they say `left` and `right` in every language. */
const pageItems =
  (t: (text: string) => string): NonNullable<PaginationProps['itemRender']> =>
  (_page, type, element) => {
    if (type !== 'prev' && type !== 'next') return element
    const name = type === 'prev' ? t('上一页') : t('下一页')
    return isValidElement<AriaAttributes>(element) ? cloneElement(element, { 'aria-label': name }) : element
  }

const loadSelect = async () => Select

/** Chooses how many rows a page has. It measures itself when it is drawn, so it is drawn when somebody wants it. */
const PageSize: NonNullable<NonNullable<PaginationProps['components']>['sizeChanger']> = ({
  value,
  onChange,
  disabled,
}) => {
  const t = useT()
  const id = useId()
  const name = (size: number): string => t('{{n}} 条/页', { n: size })
  return (
    <div className="page-size">
      <LazyInput
        load={loadSelect}
        now={false}
        lines={[{ id, label: t('每页显示'), placeholder: name(Number(value)) }]}
        icon={<DownOutlined aria-hidden />}
      >
        {Sizes => (
          <Sizes
            id={id}
            aria-label={t('每页显示')}
            popupMatchSelectWidth={false}
            disabled={disabled ?? false}
            value={Number(value)}
            options={PAGE_SIZES.map(size => ({ value: size, label: name(size) }))}
            onChange={size => onChange?.(size)}
          />
        )}
      </LazyInput>
    </div>
  )
}

const components = { sizeChanger: PageSize }

/** What the paging of every list has in common: its arrows and how many rows a page may have. */
export function usePaging() {
  const t = useT()
  return { itemRender: pageItems(t), pageSizeOptions: PAGE_SIZES, showSizeChanger: true, components }
}
