import { Typography } from 'antd'
import type { ReactNode } from 'react'

/** A text with a button that copies it. */
export default function CopyText({ children }: { children: ReactNode }) {
  return (
    <Typography.Text copyable style={{ wordBreak: 'break-all' }}>
      {children}
    </Typography.Text>
  )
}
