import type { SkeletonProps } from 'antd'
import { lazy, Suspense } from 'react'

const Skeleton = lazy(() => import('antd/es/skeleton'))

/** The lines a dialog shows while `loading`: fetched by the first dialog that does. */
export default function LazySkeleton(props: SkeletonProps) {
  return (
    <Suspense>
      <Skeleton {...props} />
    </Suspense>
  )
}
