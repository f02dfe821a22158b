import { Button, Empty } from 'antd'
import { useT } from '../platform/i18n/i18n.ts'

interface Nothing {
  /** In Chinese. */
  title: string
  searched: boolean
  onClear: () => void
  /** The person may add. */
  addable: boolean
}

/** A list without rows: what to do next. */
export function ListEmpty({ title, searched, onClear, addable }: Nothing) {
  const t = useT()
  const name = t(title)
  const none = addable ? t('还没有{{name}}，请用上方的「新增」添加', { name }) : t('还没有{{name}}', { name })
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={searched ? t('没有符合条件的数据') : none}>
      {searched && <Button onClick={onClear}>{t('清空搜索条件')}</Button>}
    </Empty>
  )
}
