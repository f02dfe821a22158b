import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { isMissing } from '../../platform/http/browser/absent.ts'
import { ApiError } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { Absent } from '../window/Absent.tsx'
import { PageSkeleton } from '../window/PageSkeleton.tsx'

/** What an answer becomes; until it is here a skeleton, and when it cannot be had the reason with a way to try again. */
export function Loaded<T>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isFetching'>
  children: (data: T) => ReactNode
}): ReactNode {
  const t = useT()
  if (query.data !== undefined) return children(query.data)
  if (!query.error) return <PageSkeleton />
  if (isMissing(query.error)) return <Absent />
  const reason = query.error instanceof ApiError ? query.error.message : t('网络不通，请检查网络后重试')
  return (
    <Nothing title={t(reason)}>
      <Button size="large" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('重试')}
      </Button>
    </Nothing>
  )
}

/** An empty place: what is not there, and what to do next. */
export function Nothing({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="my-nothing">
      <p>{title}</p>
      {children}
    </div>
  )
}
