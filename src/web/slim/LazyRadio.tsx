import type { RadioProps } from 'antd'
import { lazy, Suspense } from 'react'

const Radio = lazy(() => import('antd/es/radio'))

/** The button of a table in which one row is chosen: fetched by the first such table. */
export default function LazyRadio(props: RadioProps) {
  return (
    <Suspense>
      <Radio {...props} />
    </Suspense>
  )
}
