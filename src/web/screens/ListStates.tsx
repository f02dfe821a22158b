import { Button, Empty } from 'antd'
import { useT } from '../i18n.ts'

interface Nothing {
  /** In Chinese. */
  title: string
  searched: boolean
  onClear: () => void
  /** Missing for a person who may not add. */
  onAdd?: () => void
}

/** A list without rows: what to do next. */
export function ListEmpty({ title, searched, onClear, onAdd }: Nothing) {
  const t = useT()
  const name = t(title)
  const text = searched ? t('没有符合条件的数据') : t('还没有{{name}}', { name })
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text}>
      {searched && <Button onClick={onClear}>{t('清空搜索条件')}</Button>}
      {!searched && onAdd && (
        <Button type="primary" onClick={onAdd}>
          {t('新增{{name}}', { name })}
        </Button>
      )}
    </Empty>
  )
}
