import { Button, Result } from 'antd'
import { isMissing } from '../platform/http/browser/absent.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { Absent } from './window/Absent.tsx'

interface Failure {
  /** What the call was refused with. */
  error: unknown
  onRetry: () => void
  /** It stands in a window of its own. */
  apart?: boolean
}

const codeOf = (error: unknown): number | undefined => (error as { code?: number } | null)?.code

/** A list that could not be loaded: refused to this person, or to be tried again. */
export default function ListFailure({ error, onRetry, apart }: Failure) {
  const t = useT()
  const message = error instanceof Error ? t(error.message) : undefined
  if (codeOf(error) === 403)
    return <Result status="403" title={t('没有访问权限')} subTitle={t('需要时请联系管理员开通。')} />
  if (isMissing(error)) return <Absent apart={apart} />
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
