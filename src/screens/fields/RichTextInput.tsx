import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import type { InputProps } from './props.ts'

const Editor = lazy(() => import('./QuillEditor.tsx'))

/** Formatted text. The editor is large, so it comes only when a form shows one. */
export function RichTextInput(props: InputProps<string>) {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 4 }} title={false} />}>
      <Editor {...props} />
    </Suspense>
  )
}
