import { Typography } from 'antd'
import type { ReactNode } from 'react'

/** A text with a button that copies it: as much of it as there is room for, the whole of it when it is pointed at. */
export default function CopyText({ children }: { children: ReactNode }) {
  return (
    <Typography.Text copyable ellipsis={{ tooltip: true }} style={{ maxWidth: '100%' }}>
      {children}
    </Typography.Text>
  )
}
