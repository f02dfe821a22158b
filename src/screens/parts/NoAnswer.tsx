import { Button, Result } from 'antd'
import type { ReactNode } from 'react'
import { isMissing } from '../../platform/http/browser/absent.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { Absent } from '../window/Absent.tsx'

interface Props {
  /** What the call was refused with. */
  error: unknown
  onRetry?: () => void
  /** What else can be done, such as going back to the list. */
  children?: ReactNode
}

/** What stands where a page or a part of it could not be read: why, and what to do; quietly where the server lacks the call. */
export function NoAnswer({ error, onRetry, children }: Props): ReactNode {
  const t = useT()
  if (isMissing(error)) return <Absent />
  const again = onRetry && <Button onClick={onRetry}>{t('重试')}</Button>
  const reason = error instanceof Error && error.name === 'ApiError' ? t(error.message) : t('没有取到数据')
  return <Result status="warning" title={reason} extra={again || children ? [again, children] : undefined} />
}
