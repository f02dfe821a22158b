import { Button, Empty, Result } from 'antd'
import { useT } from '../i18n.ts'

interface Failure {
  /** What the call was refused with. */
  error: unknown
  onRetry: () => void
}

const codeOf = (error: unknown): number | undefined => (error as { code?: number } | null)?.code

/** A list that could not be loaded: refused to this person, or to be tried again. */
export function ListFailure({ error, onRetry }: Failure) {
  const t = useT()
  const message = error instanceof Error ? t(error.message) : undefined
  if (codeOf(error) === 403)
    return <Result status="403" title={t('没有访问权限')} subTitle={t('需要时请联系管理员开通。')} />
  return (
    <Result
      status="warning"
      title={t('数据没有加载出来')}
      subTitle={message}
      extra={
        <Button type="primary" onClick={onRetry}>
          {t('重试')}
        </Button>
      }
    />
  )
}

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
